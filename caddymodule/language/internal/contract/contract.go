// Package contract holds the JSON bodies of the technical-language operations:
// their types, the decoder of requests and the writers of responses. Type and field
// names are the published interface's. Optional fields are left out when empty, never
// null.
package contract

// EmbeddedModelSchema names the version of the contract that a request follows.
type EmbeddedModelSchema struct {
	Migration int    `json:"migration"`
	Semantic  string `json:"semantic"`
}

// Generic is the coarse classification of a fragment.
type Generic string

// The values of [Generic] that this project produces.
const (
	Code Generic = "CODE"
	Text Generic = "TEXT"
)

// FragmentFormat carries the characters of a fragment.
type FragmentFormat struct {
	String   TransferableString `json:"string"`
	Metadata FragmentMetadata   `json:"metadata,omitzero"`
}

// TransferableString is a string as the contract transfers it.
type TransferableString struct {
	Raw string `json:"raw"`
}

// ClassificationSpecific is the contract's name for a language or file type, such as
// "py", "rs" or "hljs-makefile", of a closed set.
type ClassificationSpecific string

// FragmentMetadata names the language of a fragment.
type FragmentMetadata struct {
	Ext ClassificationSpecific `json:"ext"`
}

// Application is the program that seeds are said to come from.
type Application struct {
	ID        string `json:"id"` // any text; a UUID by custom
	Name      string `json:"name"`
	Version   string `json:"version"`
	Platform  string `json:"platform"`
	Onboarded bool   `json:"onboarded"`
	Privacy   string `json:"privacy"`
}

// thisApplication is an open-source server on the web. The last three are of the closed
// sets of ApplicationNameEnum, PlatformEnum and PrivacyEnum in the published client
// 4.1.0: typed clients reject other values.
var thisApplication = Application{ID: "caddy-identity-gateway", Version: "1.0.0", Name: "OPEN_SOURCE", Platform: "WEB", Privacy: "OPEN"}
