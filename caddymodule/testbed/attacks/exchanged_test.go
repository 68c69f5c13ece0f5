package attacks

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/must"
)

const (
	ledger        = "https://ledger.example"
	upstreamField = "X-Upstream-Token"
	// ledgerAt and plainAt are two MCP servers: the first one calls ledger for its users.
	ledgerAt, plainAt = "/ledger/mcp", "/plain/mcp"
)

// ledgerHost is a host with both servers, each of which responds with the token that it has for the
// user, and the tokens for ledger that were made.
type ledgerHost struct {
	t     *testing.T
	url   string
	logIn func(user, agent, server string) (accessToken string)
	made  func(user string) []string
}

// sees is the token that a server has for a request.
func (h *ledgerHost) sees(server, accessToken string, field ...string) string {
	request := must.Have(http.NewRequestWithContext(h.t.Context(), http.MethodGet, h.url+server, nil))(h.t)
	request.Header.Set("Authorization", "Bearer "+accessToken)
	if field != nil {
		request.Header[field[0]] = field[1:]
	}
	status, body := answerTo(h.t, request)
	if status != http.StatusOK {
		return ""
	}
	return body
}

// isOf reports that a server has a token of a user's.
func (h *ledgerHost) isOf(user, seen string) bool { return slices.Contains(h.made(user), seen) }

// A server has the token of the user whose agent calls it, for what lies behind it. Nobody else gets
// that: no other agent of the user, no other user of the agent, and not the agent either. All do
// where a server keeps such tokens by user, or by agent, and tokens say what they have inside.
func TestTokensForWhatLiesBehind(t *testing.T) {
	for name, attack := range map[string]struct {
		// by is what the naive server keeps tokens by.
		by   func(user, agent string) string
		wins func(h *ledgerHost, own string) bool
	}{
		"another agent of the user, at the server": {byUser, func(h *ledgerHost, own string) bool {
			return h.isOf("ada", h.sees(ledgerAt, h.logIn("ada", "other", plainAt)))
		}},
		"another agent of the user, at its own server": {byUser, func(h *ledgerHost, own string) bool {
			return h.isOf("ada", h.sees(plainAt, h.logIn("ada", "other", plainAt)))
		}},
		"the agent, at another server": {byUser, func(h *ledgerHost, own string) bool {
			return h.sees(plainAt, own) != ""
		}},
		"another user of the agent": {byAgent, func(h *ledgerHost, own string) bool {
			return h.isOf("ada", h.sees(ledgerAt, h.logIn("eve", "desk", ledgerAt)))
		}},
		"somebody who writes the field himself": {byUser, func(h *ledgerHost, own string) bool {
			return strings.Contains(h.sees(ledgerAt, own, upstreamField, "of-somebody"), "of-somebody")
		}},
		"somebody who writes the field himself, in another spelling": {byUser, func(h *ledgerHost, own string) bool {
			return strings.Contains(h.sees(ledgerAt, own, strings.ToLower(upstreamField), "of-somebody"), "of-somebody")
		}},
		"the agent, who reads its access token": {byUser, func(h *ledgerHost, own string) bool {
			return slices.ContainsFunc(strings.Split(own, "."), func(part string) bool {
				decoded, _ := base64.RawURLEncoding.DecodeString(part)
				return slices.ContainsFunc(h.made("ada"), func(token string) bool { return strings.Contains(part+string(decoded), token) })
			})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			try := func(h *ledgerHost) bool {
				own := h.logIn("ada", "desk", ledgerAt)
				require.Contains(t, h.made("ada"), h.sees(ledgerAt, own), "the agent calls the server, and that has the token")
				return attack.wins(h, own)
			}
			require.True(t, try(newKeepingHost(t, attack.by)), "it proves nothing")
			require.False(t, try(newLedgerHost(t)))
		})
	}
}

func byUser(user, _ string) string   { return user }
func byAgent(_, agent string) string { return agent }

// newKeepingHost is one that keeps tokens for ledger by something, passes them on with each request,
// and writes them into access tokens, which name user and agent.
func newKeepingHost(t *testing.T, by func(user, agent string) string) *ledgerHost {
	kept, made := make(map[string]string), make(map[string][]string)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		decoded, _ := base64.RawURLEncoding.DecodeString(token)
		var of [3]string
		_ = json.Unmarshal(decoded, &of)
		if inside := kept[by(of[0], of[1])]; inside != "" {
			r.Header.Add(upstreamField, inside)
		}
		_, _ = w.Write([]byte(strings.Join(r.Header.Values(upstreamField), ", ")))
	}))
	t.Cleanup(server.Close)
	return &ledgerHost{
		t: t, url: server.URL,
		made: func(user string) []string { return made[user] },
		logIn: func(user, agent, at string) string {
			if key := by(user, agent); at == ledgerAt && kept[key] == "" {
				kept[key] = "ledger-of-" + user
				made[user] = append(made[user], kept[key])
			}
			token := must.Have(json.Marshal([3]string{user, agent, kept[by(user, agent)]}))(t)
			return base64.RawURLEncoding.EncodeToString(token)
		},
	}
}

func newLedgerHost(t *testing.T) *ledgerHost {
	address := testgateway.NewAddress(t)
	base := "http://" + address
	idp := testidp.Run(t, testidp.Behavior{
		Clients:   []testidp.Client{{ID: "gateway", Secret: "s3cret", RedirectURIs: []string{base + "/oauth/callback"}}},
		SingleUse: true, ChecksClient: true, ChecksRedirectURI: true, IgnoresResource: true, ResponseModes: []string{"query"}, TokenExchange: true,
	})
	agent := ` {
		redirect_uri {app}
		idp_client gateway {
			secret s3cret
		}
	}
	`
	testgateway.Run(t, testgateway.Config{Address: address, Site: strings.NewReplacer("{base}", base, "{idp}", idp.IssuerURL(), "{app}", honest,
		"{at}", ledgerAt, "{plain}", plainAt, "{ledger}", ledger, "{field}", upstreamField).Replace(strings.ReplaceAll(`identity_gateway {idp} {
	discover
	callback
	public_url {base}
	resource {base}{at} {
		scope ledger.read openid
		default_scope ledger.read
		exchange {ledger}
	}
	resource {base}{plain} {
		scope plain.read openid
		default_scope plain.read
	}
	client desk{agent}client other{agent}
}
require_token {at} {base} {base}{at} {
	tokens gateway
	upstream_token {field}
}
require_token {plain} {base} {base}{plain} {
	tokens gateway
}
respond {at} {header.{field}}
respond {plain} {header.{field}}
`, "{agent}", agent))})
	var issued []testidp.Token
	f := frontAt(t, idp, base, base)
	return &ledgerHost{
		t: t, url: base,
		made: func(user string) (made []string) {
			issued = append(issued, idp.Issued()...)
			for _, token := range issued {
				if token.User == user && token.Audience == ledger {
					made = append(made, token.AccessToken)
				}
			}
			return made
		},
		logIn: func(user, agent, at string) string {
			got := f.logInAs(f.env.browser(user), base, agent, honest, base+at)
			require.NotEmpty(t, got.AccessToken, "%+v", got)
			return got.AccessToken
		},
	}
}
