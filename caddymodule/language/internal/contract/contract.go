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
