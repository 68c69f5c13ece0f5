package identity

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/stretchr/testify/require"
)

// TestNoSecretLeavesTheGateway makes a hostile run with every log on, in the format oauth_redact and
// once more without it, and then looks for everything secret in what was written and answered: the
// logs, the errors, the adapted configuration, the admin API, the saved configuration and the
// metrics. Without the format, Caddy's own lines repeat URLs and header fields, and the gateway's do not.
func TestNoSecretLeavesTheGateway(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	const sealingKey, clientSecret = "SECRETsealing-key-that-nobody-may-see-0123456789", "SECRETof-the-gateway"
	secretFile := filepath.Join(t.TempDir(), "client_password")
	require.NoError(t, os.WriteFile(secretFile, []byte(clientSecret+"\n"), 0o600))
	t.Setenv("TEST_IDENTITY_SEALING_KEY", sealingKey)
	for _, frontChannel := range []string{"redirect", "proxy"} {
		t.Run(frontChannel, func(t *testing.T) {
			respond := func(w http.ResponseWriter, r *http.Request) {
				switch {
				case strings.Contains(r.URL.Path, "authorize"):
					w.Header().Set("Set-Cookie", "idp=SECRETcookie1")
					w.Header().Set("Location", "https://app.example/cb?code=SECRETcode0&state="+r.URL.Query().Get("state"))
					w.WriteHeader(302)
				case strings.Contains(r.URL.Path, "userinfo"):
					w.WriteHeader(500)
				default:
					respondJSON(200, `{"access_token":"SECRETtoken1","refresh_token":"SECRETtoken2","token_type":"Bearer"}`)(w, r)
				}
			}
			rec, root := newRecorder(t, respond), t.TempDir()
			source := `{
				debug
				{admin}
				auto_https off
				storage file_system {root}/data
				log default {
					level DEBUG
					output file {root}/all.log
					format oauth_redact json
				}
				log bare {
					level DEBUG
					output file {root}/bare.log
					format json
				}
				servers {
					log_credentials
				}
			}
			http://127.0.0.1:{port} {
				log {
					output file {root}/site.log
					format oauth_redact console
				}
				log_append query {http.request.uri.query}
				log_append body {http.request.body}
				log_append outcome {http.identity_gateway.outcome}
				log_append reference {http.identity_gateway.reference}
				metrics /metrics
				identity_gateway {idp} {
					parameters oauth
					front_channel ` + frontChannel + `
					callback
					sealing_key {env.TEST_IDENTITY_SEALING_KEY}
					rotate_refresh {
						grace 1s
					}
					endpoint revoke /revocation
					client app {
						redirect_uri https://app.example/cb
						idp_client app {
							secret {file.` + secretFile + `}
						}
					}
				}
				@front path /authorize /v2/logout
				reverse_proxy @front {idp}
			}`
			n := startNode(t, rec, root, source)
			var answers strings.Builder
			keep := func(a *response) *response {
				if a.StatusCode >= 400 {
					_, _ = answers.WriteString(a.body)
					require.NoError(t, a.Header.Write(&answers))
				}
				return a
			}
			get := func(target string, header ...string) *response { return keep(n.get(target, header...)) }
			exchange := func(body string, header ...string) *response { return keep(n.post("/oauth/token", body, header...)) }
			const verifier, another = "SECRETverifierSECRETverifierSECRETverifier00", "SECRETanotherSECRETanotherSECRETanotherSECRET"
			const code = "SECRETcode1"
			query := authorizeQuery(verifier, "state", "SECRETstate")
			get("/authorize?" + query)
			get("/authorize?"+query, "Accept", "application/json")
			get("/authorize?" + query + "&code_verifier=" + verifier + "&scope=twice")
			get("/AUTHORIZE?code=" + code)
			get("/elsewhere?code="+code, "Referer", "https://app.example/cb?code="+code)
			state := n.begin(verifier, "state", "SECRETstate").Get("state")
			callback := callbackFor(state, "SECRETcode6") + "&error_description=the+words+of+the+IdP"
			get(callback)
			get(callback + "&code=SECRETcode7")
			get(callback + "x")
			sealed := n.logIn(verifier, "SECRETcode8")
			exchange(tokenBody(another, sealed))
			require.Equal(t, 200, exchange(tokenBody(verifier, sealed)).StatusCode)
			exchange(tokenBody(verifier, sealed))
			keep(n.post("/oauth/token?code="+code, tokenBody(verifier, code)))
			exchange(tokenBody(verifier, code, "refresh_token", "SECRETtoken3", "client_secret", "SECRETguess"))
			exchange(tokenBody(verifier, code))
			exchange(tokenBody(verifier, code) + "&code=" + code)
			exchange(refreshBody("SECRETtoken3"), "Authorization", "Basic U0VDUkVU")
			get("/userinfo?access_token=SECRETtoken1", "Authorization", "Bearer SECRETtoken1")
			get("/userinfo", "Authorization", "Bearer SECRETtoken1", "Cookie", "a=SECRETcookie")
			get("/v2/logout?id_token_hint=SECRETtoken4&returnTo=https%3A%2F%2Fapp.example%2F%3Fcode%3DSECRETcode5")

			first := exchange(tokenBody(another, n.logIn(another, "SECRETcode9"))).refreshToken(t)
			time.Sleep(1100 * time.Millisecond)
			current := exchange(refreshBody(first)).refreshToken(t)
			require.NotEmpty(t, current)
			rec.respondWith(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
			exchange(refreshBody(current))
			keep(n.post("/oauth/revoke", revokeBody(current)))
			rec.respondWith(respond)
			time.Sleep(1100 * time.Millisecond)
			require.Equal(t, "invalid_grant", exchange(refreshBody(first)).code())
			exchange(refreshBody(current, "client_secret", "SECRETguess"))
			keep(n.post("/oauth/revoke", revokeBody(current, "client_id", "nobody")))
			rec.Close()
			get("/userinfo", "Authorization", "Bearer SECRETtoken1")
			get("/authorize?"+query, "Accept", "application/json")

			adapted, _, err := caddyconfig.GetAdapter("caddyfile").Adapt([]byte(strings.NewReplacer("{admin}", "", "{port}", "9", "{root}", root, "{idp}", rec.URL).Replace(source)), nil)
			require.NoError(t, err)
			ask := func(path string) string {
				body, err := n.process.Get(path)
				require.NoError(t, err)
				return string(body)
			}
			written := map[string]string{
				"responses": answers.String(), "adapt": string(adapted),
				"admin API": ask("/config/"), "metrics": ask("/metrics") + n.get("/metrics").body,
			}
			n.stop()
			for _, name := range []string{"caddy/autosave.json", "all.log", "site.log", "bare.log"} {
				content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
				require.NoError(t, err)
				written[name] = string(content)
			}
			bare := written["bare.log"]
			var own strings.Builder
			for line := range strings.Lines(bare) {
				if !strings.Contains(line, `"logger":"http.log.`) && !strings.Contains(line, `"logger":"http.handlers.reverse_proxy"`) {
					_, _ = own.WriteString(line)
				}
			}
			written["bare.log"] = own.String()
			for name, parts := range map[string][]string{ // it is what this run wrote
				"bare.log":  {"used again after it was replaced", "request rejected", "tokens issued", "no response from the identity provider"},
				"all.log":   {"no response from the identity provider"},
				"site.log":  {"invalid_grant", `"uri": "/oauth/callback?code=REDACTED&state=REDACTED&error_description=REDACTED"`},
				"metrics":   {"caddy_identity_gateway_refresh_reuse_total 1"},
				"admin API": {"{env.TEST_IDENTITY_SEALING_KEY}"},
			} {
				for _, part := range parts {
					require.Contains(t, written[name], part, name)
				}
			}
			require.Greater(t, strings.Count(written["site.log"], "handled request"), 10, "access log")
			logLines[map[string]any](t, filepath.Join(root, "all.log"))

			sent := []string{
				sealed, verifier, "SECRETstate", code, "SECRETcode6", "SECRETcode7", "SECRETcode5", "SECRETtoken1", "SECRETtoken3", "SECRETtoken4", "SECRETcookie", "SECRETguess", "U0VDUkVU",
				first, current, state,
			}
			if frontChannel == "proxy" { // which alone sees that code
				sent = append(sent, "SECRETcode0")
			}
			for _, secret := range sent {
				require.Contains(t, bare, secret, "it would be there")
			}
			for where, text := range written {
				for _, secret := range append(sent, "SECRET") {
					require.False(t, strings.Contains(text, secret), "%s has %s", where, secret)
				}
			}
			require.NotContains(t, bare, sealingKey, "nor is it in any line of Caddy's")
			require.NotContains(t, bare, clientSecret)
		})
	}
}

func TestMistakesInSecretsDoNotShowThem(t *testing.T) {
	t.Setenv("TEST_IDENTITY_BAD", "s3cret")
	t.Setenv("TEST_IDENTITY_ODD", "s3cret\x01s3cret-s3cret-s3cret-s3cret-s3cret")
	for _, options := range []string{
		"callback\nsealing_key {env.TEST_IDENTITY_BAD}",
		"callback\nsealing_key {env.TEST_IDENTITY_ODD} {env.TEST_IDENTITY_ODD}",
		"callback\nclient app {\nredirect_uri https://app.example/cb\nidp_client app {\nsecret {env.TEST_IDENTITY_ODD}\n}\n}",
		"callback\nclient app {\nredirect_uri https://app.example/cb\nidp_client app {\nsecret {env.TEST_IDENTITY_BAD} private_key_jwt\n}\n}",
	} {
		_, _, err := provision(t, "identity_gateway https://idp.example {\n"+options+"\n}", t.TempDir())
		require.Error(t, err, options)
		require.NotContains(t, err.Error(), "s3cret", options)
	}
}
