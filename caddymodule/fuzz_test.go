package caddymodule_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/stretchr/testify/require"
)

// handlers are those of this plugin.
var handlers = []string{
	"gateway_openapi", "gateway_playground", "identity_gateway", "personification", "protected_resource_metadata", "require_token", "text_segmentation",
}

// FuzzCaddyfile: a Caddyfile of any content is adapted and validated, or rejected.
func FuzzCaddyfile(f *testing.F) {
	caddyfiles, _ := fixtures(f)
	for _, caddyfile := range caddyfiles {
		f.Add(caddyfile)
	}
	f.Fuzz(func(t *testing.T, caddyfile string) {
		adapted, _, err := caddyconfig.GetAdapter("caddyfile").Adapt([]byte(caddyfile), map[string]any{"filename": "Caddyfile"})
		if err != nil {
			return
		}
		for _, handler := range handlersIn(adapted) {
			validate(t, handler)
		}
	})
}

// FuzzHandlerJSON: the same of a handler's JSON, which no Caddyfile parser has looked at.
func FuzzHandlerJSON(f *testing.F) {
	_, found := fixtures(f)
	tried := make(map[string]bool)
	for _, handler := range found {
		f.Add([]byte(handler))
		var members map[string]json.RawMessage
		require.NoError(f, json.Unmarshal(handler, &members))
		for name, member := range members {
			if key := string(members["handler"]) + name; name == "handler" || tried[key] {
				continue
			} else {
				tried[key] = true
			}
			for _, hostile := range []string{`null`, `[null]`} {
				members[name] = json.RawMessage(hostile)
				changed, err := json.Marshal(members)
				require.NoError(f, err)
				f.Add(changed)
			}
			members[name] = member
		}
	}
	f.Fuzz(func(t *testing.T, handler []byte) {
		if found := handlersIn(handler); len(found) == 1 {
			validate(t, found[0])
		}
	})
}

// validate does what `caddy validate` does.
func validate(t *testing.T, handler json.RawMessage) {
	storage, err := json.Marshal(t.TempDir())
	require.NoError(t, err)
	var config caddy.Config
	require.NoError(t, json.Unmarshal(fmt.Appendf(nil, `{"admin":{"disabled":true},"storage":{"module":"file_system","root":%s},
		"logging":{"logs":{"default":{"writer":{"output":"discard"}}}},
		"apps":{"http":{"servers":{"gateway":{"listen":[":8080"],"routes":[{"handle":[%s]}]}}}}}`, storage, handler), &config))
	_ = caddy.Validate(&config)
}

// fixtures are the Caddyfiles of all fixtures, and the JSON of their handlers.
func fixtures(t testing.TB) (caddyfiles []string, found []json.RawMessage) {
	names, err := filepath.Glob("testdata/adapt/*")
	require.NoError(t, err)
	for _, name := range names {
		content, err := os.ReadFile(name)
		require.NoError(t, err)
		caddyfile, _, _ := strings.Cut(string(content), "\n----------\n")
		caddyfiles = append(caddyfiles, caddyfile)
		if adapted, _, err := caddyconfig.GetAdapter("caddyfile").Adapt([]byte(caddyfile), map[string]any{"filename": "Caddyfile"}); err == nil {
			found = append(found, handlersIn(adapted)...)
		}
	}
	require.NotEmpty(t, found)
	return caddyfiles, found
}

// handlersIn are the plugin's handlers that stand anywhere in a configuration.
func handlersIn(config []byte) []json.RawMessage {
	var list []json.RawMessage
	var members map[string]json.RawMessage
	if json.Unmarshal(config, &members) != nil {
		_ = json.Unmarshal(config, &list)
	}
	var name string
	if json.Unmarshal(members["handler"], &name) == nil && slices.Contains(handlers, name) {
		return []json.RawMessage{config}
	}
	for _, member := range members {
		list = append(list, member)
	}
	var found []json.RawMessage
	for _, one := range list {
		found = append(found, handlersIn(one)...)
	}
	return found
}
