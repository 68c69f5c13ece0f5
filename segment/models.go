package segment

import (
	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/langid"
	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/linetag"
)

// Model names an embedded model.
type Model struct {
	// Name is linetag, which labels lines as text or code, or langid, which names languages.
	Name string
	// Version changes with every training: the first 12 hexadecimal digits of the SHA-256 of the model's file.
	Version string
}

// Models are the embedded models. It does not decode them.
func Models() []Model {
	return []Model{
		{"linetag", linetag.EmbeddedChecksum()[:12]},
		{"langid", langid.EmbeddedChecksum()[:12]},
	}
}
