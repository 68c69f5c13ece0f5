package testidp

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"
)

//go:embed defaults.json
var defaultsJSON []byte

type defaults struct {
	Users   []User   `json:"users"`
	Clients []Client `json:"clients"`
}

var embeddedDefaults = sync.OnceValues(func() (defaults, error) {
	var d defaults
	if err := json.Unmarshal(defaultsJSON, &d); err != nil {
		return d, fmt.Errorf("decoding the embedded users and clients: %w", err)
	}
	return d, nil
})
