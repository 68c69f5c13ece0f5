package uris

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/clientmetadata"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
)

func TestMetadataDocumentsOfPublishedClients(t *testing.T) {
	documents := make(map[string]string)
	for _, name := range Published() {
		redirects, document := PublishedClient(name)
		require.NotEmpty(t, redirects, name)
		if document == "" {
			continue
		}
		must.Have(clientmetadata.ParseID(document))(t)
		require.NotEmpty(t, published()[name].MetadataDocument.Source, name)
		documents[name] = document
	}
	require.Equal(t, "https://claude.ai/oauth/claude-code-client-metadata", documents["claude-code"])
	redirects, document := PublishedClient("nobody")
	require.Empty(t, redirects)
	require.Empty(t, document)
}
