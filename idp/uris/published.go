package uris

import (
	_ "embed"
	"encoding/json"
	"maps"
	"slices"
	"sync"
)

//go:embed published_clients.json
var publishedFile []byte

// publishedClient is where a client has its codes sent that people use with many
// servers, and where it is described.
type publishedClient struct {
	RedirectURIs []struct {
		URI    string `json:"uri"`
		Source string `json:"source"`
	} `json:"redirect_uris"`
	MetadataDocument struct {
		URI    string `json:"uri"`
		Source string `json:"source"`
	} `json:"metadata_document,omitzero"`
}

var published = sync.OnceValue(func() map[string]publishedClient {
	var table map[string]publishedClient
	if err := json.Unmarshal(publishedFile, &table); err != nil {
		panic(err) // it is embedded
	}
	return table
})

// Published are the names of the clients that [ParseAllowed] knows, sorted.
func Published() []string { return slices.Sorted(maps.Keys(published())) }

// PublishedClient is what a client of [Published] registers, and where its
// metadata document is, "" if it has none. A * at the end of a redirect URI stands for
// letters, digits, - and _.
func PublishedClient(name string) (redirectURIs []string, metadataDocument string) {
	c := published()[name]
	for _, redirect := range c.RedirectURIs {
		redirectURIs = append(redirectURIs, redirect.URI)
	}
	return redirectURIs, c.MetadataDocument.URI
}
