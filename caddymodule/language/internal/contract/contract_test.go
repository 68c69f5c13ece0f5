package contract_test

import (
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/contract"
)

func TestOptionalFieldsAreLeftOutNotNull(t *testing.T) {
	got, err := json.Marshal(contract.SegmentedTechnicalLanguage{Iterable: []contract.SegmentedTechnicalLanguageFragment{
		{Generic: contract.Text, Fragment: contract.FragmentFormat{String: contract.TransferableString{Raw: ""}}},
		{Generic: contract.Code, Specific: "py", Fragment: contract.FragmentFormat{
			String: contract.TransferableString{Raw: "x"}, Metadata: contract.FragmentMetadata{Ext: "py"},
		}},
	}})
	require.NoError(t, err)
	require.JSONEq(t, `{"iterable":[{"generic":"TEXT","fragment":{"string":{"raw":""}}},
		{"generic":"CODE","specific":"py","fragment":{"string":{"raw":"x"},"metadata":{"ext":"py"}}}]}`, string(got))

	got, err = json.Marshal(contract.SegmentedTechnicalLanguage{})
	require.NoError(t, err)
	require.JSONEq(t, `{"iterable":[]}`, string(got))
}
