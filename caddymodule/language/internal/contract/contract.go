// Package contract holds the JSON bodies of the technical-language operations: the decoder of requests and the writers of
// responses. Type and field names are the published interface's. Optional fields are left out when empty, never null.
package contract

// EmbeddedModelSchema names the version of the contract that a request follows.
type EmbeddedModelSchema struct {
	Migration int    `json:"migration"`
	Semantic  string `json:"semantic"`
}

// Seed is one snippet. It ends with its annotations, up to seedEnd.
type Seed struct {
	Type  string `json:"type"` // SEEDED_ASSET
	Asset struct {
		Application Application `json:"application"`
		Format      struct {
			Fragment struct {
				String struct {
					Raw string `json:"raw"`
				} `json:"string"`
				Metadata struct {
					Ext string `json:"ext"` // as Specific
				} `json:"metadata"`
			} `json:"fragment"`
			Classification struct {
				Generic  string `json:"generic"`  // CODE
				Specific string `json:"specific"` // ClassificationSpecific, a closed set: "py", "hljs-makefile"
			} `json:"classification"`
		} `json:"format"`
		Metadata struct {
			Name        string       `json:"name"`
			Mechanism   string       `json:"mechanism"` // RECOMMENDED: chosen for this person
			Tags        []Tag        `json:"tags"`
			Websites    []Website    `json:"websites,omitzero"`
			Annotations []Annotation `json:"annotations"`
		} `json:"metadata"`
		Demo bool `json:"demo"`
	} `json:"asset"`
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

// thisApplication is an open-source server on the web. The last three are of the closed sets of ApplicationNameEnum, PlatformEnum and
// PrivacyEnum in the published client 4.1.0: typed clients reject other values.
var thisApplication = Application{ID: "caddy-identity-gateway", Version: "1.0.0", Name: "OPEN_SOURCE", Platform: "WEB", Privacy: "OPEN"}

// Tag is a keyword.
type Tag struct {
	Text string `json:"text"`
}

// Website is a link with its name.
type Website struct {
	URL  string `json:"url"`
	Name string `json:"name"`
}

// Annotation is a remark on a snippet.
type Annotation struct {
	Type string `json:"type"` // DESCRIPTION, COMMENT, DOCUMENTATION (where it is from) or EXPLANATION
	Text string `json:"text"`
}
