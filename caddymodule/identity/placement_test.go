package identity

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	_ "github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"
	"github.com/stretchr/testify/require"
)

// adapt turns a Caddyfile into JSON, and returns the warnings that are logged.
func adapt(t *testing.T, caddyfile string) (warnings []map[string]any, err error) {
	t.Helper()
	logFile := filepath.Join(t.TempDir(), "log")
	config := `{"admin":{"disabled":true},"logging":{"logs":{"default":{"level":"WARN","encoder":{"format":"json"},"writer":{"output":"file","filename":` +
		string(caddyconfig.JSON(logFile, nil)) + `}}}}}`
	var parsed caddy.Config
	require.NoError(t, json.Unmarshal([]byte(config), &parsed))
	_, err = caddy.ProvisionContext(&parsed)
	require.NoError(t, err)
	_, _, err = caddyconfig.GetAdapter("caddyfile").Adapt([]byte(caddyfile), map[string]any{"filename": "Caddyfile"})
	for _, entry := range logLines[map[string]any](t, logFile) {
		if entry["logger"] == "http.handlers.identity_gateway" {
			warnings = append(warnings, entry)
		}
	}
	return warnings, err
}

func TestAMatcherThatLeavesPathsUncheckedIsAWarning(t *testing.T) {
	const all = "/authorize /oauth/token /userinfo /v2/logout"
	for name, tc := range map[string]struct {
		site string
		want []any // nil: no warning
	}{
		"none":                      {site: "identity_gateway https://idp.example"},
		"everything":                {site: "identity_gateway * https://idp.example"},
		"a host":                    {site: "@a host a.example\nidentity_gateway @a https://idp.example"},
		"a header":                  {site: "@a header X-Tenant a\nidentity_gateway @a https://idp.example"},
		"not some assets":           {site: "@a not path /static/*\nidentity_gateway @a https://idp.example"},
		"not a host":                {site: "@a not host a.example\nidentity_gateway @a https://idp.example"},
		"one path":                  {site: "identity_gateway /authorize https://idp.example", want: []any{"/oauth/token", "/userinfo", "/v2/logout", "/oauth/token.json"}},
		"one path and a callback":   {site: "identity_gateway /authorize https://idp.example {\ncallback\n}", want: []any{"/oauth/token", "/userinfo", "/v2/logout", "/oauth/callback", "/oauth/revoke", "/oauth/token.json"}},
		"a folder":                  {site: "identity_gateway /oauth/* https://idp.example", want: []any{"/authorize", "/userinfo", "/v2/logout"}},
		"all paths":                 {site: "@a path " + all + "\nidentity_gateway @a https://idp.example", want: []any{"/oauth/token.json"}},
		"all paths, and a callback": {site: "@a path " + all + " /oauth/token*\nidentity_gateway @a https://idp.example {\ncallback /done\n}", want: []any{"/done", "/oauth/revoke"}},
		"an expression":             {site: "@a path_regexp ^/(authorize|userinfo)$\nidentity_gateway @a https://idp.example", want: []any{"/oauth/token", "/v2/logout", "/oauth/token.json"}},
		"a method":                  {site: "@a method GET\nidentity_gateway @a https://idp.example", want: []any{"/oauth/token", "/oauth/token.json"}},
		"not the token endpoint":    {site: "@a not path /oauth/token\nidentity_gateway @a https://idp.example", want: []any{"/oauth/token"}},
		"a path and a host":         {site: "@a {\nhost a.example\npath /authorize\n}\nidentity_gateway @a https://idp.example", want: []any{"/oauth/token", "/userinfo", "/v2/logout", "/oauth/token.json"}},
		"in a handle_path":          {site: "handle_path /id/* {\nidentity_gateway /authorize https://idp.example\n}", want: []any{"/oauth/token", "/userinfo", "/v2/logout", "/oauth/token.json"}},
	} {
		t.Run(name, func(t *testing.T) {
			site := "\nlogin.example {\n" + tc.site + "\nreverse_proxy https://idp.example\n}"
			warnings, err := adapt(t, site)
			require.NoError(t, err)
			if tc.want == nil {
				require.Empty(t, warnings)
				return
			}
			require.Len(t, warnings, 1)
			require.Contains(t, warnings[0]["msg"], "the matcher leaves paths of the gateway to other handlers")
			require.Equal(t, tc.want, warnings[0]["paths"])
			require.Equal(t, "Caddyfile", warnings[0]["file"])
			before, _, _ := strings.Cut(site, "identity_gateway ")
			require.EqualValues(t, strings.Count(before, "\n")+1, warnings[0]["line"])
		})
	}
}

func TestAMatcherThatIsNotDefinedIsNamedWithItsLine(t *testing.T) {
	_, err := adapt(t, "a.example {\nidentity_gateway @nobody https://a.example\n}")
	require.ErrorContains(t, err, "@nobody, at Caddyfile:2")
}
