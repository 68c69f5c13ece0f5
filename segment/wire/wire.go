// Package wire holds the JSON bodies of the technical-language contract that the
// segmentation operation reads and writes, and the types that the
// personification operation shares with it. Field and type names are the
// contract's. Optional fields are left out when empty, never null.
package wire

// Generic is the coarse classification of a fragment.
type Generic string

// The two values of [Generic] that segmentation produces.
const (
	Code Generic = "CODE"
	Text Generic = "TEXT"
)

// EmbeddedModelSchema names the version of the contract that a body follows.
type EmbeddedModelSchema struct {
	Migration int    `json:"migration"`
	Semantic  string `json:"semantic"`
}

// UnsegmentedTechnicalLanguage is the body of a segmentation request.
type UnsegmentedTechnicalLanguage struct {
	Schema *EmbeddedModelSchema `json:"schema,omitzero"`
	// Value is the message, UTF-8. It is required: nil means that the body
	// was an object without it.
	Value *string `json:"value"`
}

// SegmentedTechnicalLanguage is the answer to a segmentation request.
type SegmentedTechnicalLanguage struct {
	Schema   *EmbeddedModelSchema                 `json:"schema,omitzero"`
	Iterable []SegmentedTechnicalLanguageFragment `json:"iterable"`
}

// SegmentedTechnicalLanguageFragment is one run of text or code of the message.
type SegmentedTechnicalLanguageFragment struct {
	Schema  *EmbeddedModelSchema `json:"schema,omitzero"`
	Generic Generic              `json:"generic"`
	// Specific is the language of code; it is only there when the request
	// asked to classify.
	Specific ClassificationSpecific `json:"specific,omitzero"`
	Fragment FragmentFormat         `json:"fragment"`
}

// FragmentFormat carries the characters of a fragment.
type FragmentFormat struct {
	Schema   *EmbeddedModelSchema `json:"schema,omitzero"`
	String   *TransferableString  `json:"string,omitzero"`
	Metadata *FragmentMetadata    `json:"metadata,omitzero"`
}

// TransferableString is a string as the contract transfers it.
type TransferableString struct {
	Raw string `json:"raw"`
}

// FragmentMetadata tells the language of a fragment.
type FragmentMetadata struct {
	Ext ClassificationSpecific `json:"ext"`
}
