package persona

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// The closed set is that of the OpenAPI document.
func TestTheClosedSetIsThatOfTheContract(t *testing.T) {
	source, err := os.ReadFile("../caddymodule/openapi/openapi.json")
	require.NoError(t, err)
	var document struct {
		Components struct {
			Schemas map[string]struct {
				Enum []string `json:"enum"`
			} `json:"schemas"`
		} `json:"components"`
	}
	require.NoError(t, json.Unmarshal(source, &document))
	values := document.Components.Schemas["ClassificationSpecific"].Enum
	require.Greater(t, len(values), 400)
	for _, value := range values {
		require.Contains(t, specifics(), value)
	}
	require.Len(t, specifics(), len(values))
}
