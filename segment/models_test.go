package segment_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
)

func TestTheVersionOfAModelIsTheChecksumOfItsFile(t *testing.T) {
	models := segment.Models()
	require.Len(t, models, 2)
	for _, model := range models {
		file, err := os.ReadFile(filepath.Join("internal", model.Name, "model.bin"))
		require.NoError(t, err)
		sum := sha256.Sum256(file[:len(file)-sha256.Size]) // it ends with its own
		require.Equal(t, hex.EncodeToString(sum[:])[:12], model.Version, model.Name)
	}
}
