package idp

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pkce"
)

// The table was written from the RFCs, before and without a look at this package.
//
//go:embed testdata/rfc-decisions.tsv
var rfcDecisions string

// rfcDecision is a line of the table.
type rfcDecision struct{ source, endpoint, request, want, why string }

func (d rfcDecision) String() string {
	return strings.TrimSuffix(d.source+" "+d.endpoint+" "+d.request, " ")
}

// decisionsThatDiffer are those in which this package departs from the table, and why.
var decisionsThatDiffer = map[string]struct{ got, why string }{
	"RFC 6749 3.3 authorize scope=open%09id": {
		"shown",
		"a control character ends the reading of the query, before it is known where errors go",
	},
	"RFC 6749 A.5 authorize state=%C3%A4": {
		"pass",
		"state is the client's own: it comes back to it, percent-encoded, as it was, and there are clients with names of people in it",
	},
	"RFC 6749 4.1.2 callback -code": {
		"redirect server_error",
		"the state is good, and so is the client's address: it is told",
	},
	"RFC 6749 4.1.2 callback code=": {
		"redirect server_error",
		"the state is good, and so is the client's address: it is told",
	},
	"RFC 6749 5.1 response -token_type": {
		"pass",
		"there are IdPs that leave it out and mean Bearer, which the client is told",
	},
	"RFC 6749 4.1.2.1 callback -code & error=a%20b": {
		"redirect server_error",
		"an IdP's own error codes mean nothing to a client of the gateway; those of the RFC travel on",
	},
}

func TestDecisionsOfTheRFCs(t *testing.T) {
	decide := map[string]func(testing.TB, []change) string{
		"authorize": decideAuthorize, "token": decideToken, "userinfo": decideUserInfo, "callback": decideCallback, "response": decideResponse,
	}
	seen := make(map[string]bool)
	for line := range strings.Lines(rfcDecisions) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") {
			continue
		}
		columns := strings.Split(line, "\t")
		require.Len(t, columns, 5, line)
		d := rfcDecision{columns[0], columns[1], columns[2], columns[3], columns[4]}
		require.False(t, seen[d.String()], "twice: %s", d)
		seen[d.String()] = true
		t.Run(d.String(), func(t *testing.T) {
			got := decide[d.endpoint](t, parseChanges(d.request))
			if departs, ok := decisionsThatDiffer[d.String()]; ok {
				require.Equal(t, departs.got, got, departs.why)
				require.NotContains(t, strings.Split(d.want, " or "), got, "it does not differ any more")
				return
			}
			require.Contains(t, strings.Split(d.want, " or "), got, d.why)
		})
	}
	for name := range decisionsThatDiffer {
		require.True(t, seen[name], "%s is not in the table", name)
	}
}

// change is how a request differs from a good one.
type change struct {
	how         byte   // '=', '-', '+', or ':' for a header field
	name, value string // encoded
}

func parseChanges(request string) (changes []change) {
	if request == "" {
		return nil
	}
	for part := range strings.SplitSeq(request, " & ") {
		c := change{how: '='}
		if part[0] == '-' || part[0] == '+' {
			c.how, part = part[0], part[1:]
		}
		if i := strings.IndexAny(part, "=:"); i >= 0 {
			if part[i] == ':' && c.how == '=' {
				c.how = ':'
			}
			c.name, c.value = part[:i], strings.TrimPrefix(part[i+1:], " ")
		} else {
			c.name = part
		}
		changes = append(changes, c)
	}
	return changes
}

// parameters are those of a request, encoded, in their order.
type parameters [][2]string

func (p parameters) with(changes []change) parameters {
	p = slices.Clone(p)
	for _, c := range changes {
		i := slices.IndexFunc(p, func(own [2]string) bool { return own[0] == c.name })
		switch {
		case c.how == ':':
		case c.how == '-' && i >= 0:
			p = slices.Delete(p, i, i+1)
		case c.how == '=' && i >= 0:
			p[i][1] = c.value
		case c.how == '=' || c.how == '+':
			p = append(p, [2]string{c.name, c.value})
		}
	}
	return p
}

func (p parameters) encode() string {
	pairs := make([]string, len(p))
	for i, own := range p {
		pairs[i] = own[0] + "=" + own[1]
	}
	return strings.Join(pairs, "&")
}

// fields changes a header, and returns what was said of the query.
func fields(header http.Header, changes []change) (query string) {
	for _, c := range changes {
		switch {
		case c.how == ':' && c.name == "Query":
			query = c.value
		case c.how == ':':
			header.Set(c.name, c.value)
		case c.how == '+' && header.Get(c.name) != "":
			header.Add(c.name, c.value)
		case c.how == '-' && header.Get(c.name) != "":
			header.Del(c.name)
		}
	}
	return query
}

// The examples of RFC 6749 section 4.1 and RFC 7636 appendix B.
const (
	exampleCode     = "SplxlOBeZQQYbYS6WxSbIA"
	exampleVerifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	exampleCallback = "https%3A%2F%2Fapp.example%2Fcb"
)

func decisionPolicy(t testing.TB) *Policy {
	return must.Have(NewPolicy(Config{AuthURL: "https://idp.example", Parameters: OAuthParameters, Clients: decisionClients()}))(t)
}

func decisionClients() []ClientConfig {
	return []ClientConfig{
		{ID: "app", RedirectURIs: []string{"https://app.example/cb"}},
		{ID: "two", RedirectURIs: []string{"https://app.example/cb", "https://app.example/other"}},
		{ID: "native", RedirectURIs: []string{"http://127.0.0.1/cb", "http://[::1]/cb", "com.example.app:/cb"}},
		{ID: "web", RedirectURIs: []string{"https://web.example/cb?a=1"}, AuthMethods: []string{AuthSecretBasic, AuthSecretPost}},
	}
}

func decideAuthorize(t testing.TB, changes []change) string {
	p := decisionPolicy(t)
	r, err := p.parseAuthorize(parameters{
		{"response_type", "code"},
		{"client_id", "app"},
		{"redirect_uri", exampleCallback},
		{"scope", "openid"},
		{"state", "s-1"},
		{"code_challenge_method", "S256"},
		{"code_challenge", string(pkce.Verifier(exampleVerifier).S256())},
	}.with(changes).encode())
	if err == nil {
		return "pass"
	}
	page, ok := r.redirectError(oauth.AsError(err))
	if !ok {
		return "shown"
	}
	return redirected(t, page)
}

// redirected is what a page that takes the browser to the client says there.
func redirected(t testing.TB, page Response) string {
	to := must.Have(url.Parse(page.Header.Get("Location")))(t)
	q := to.Query()
	if code := q.Get("error"); code != "" {
		require.Empty(t, q.Get("code"))
		return "redirect " + code
	}
	require.NotEmpty(t, q.Get("code"))
	return "pass"
}

func decideToken(t testing.TB, changes []change) string {
	header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	query := fields(header, changes)
	_, err := decisionPolicy(t).parseToken(query, header, parameters{
		{"grant_type", "authorization_code"}, {"client_id", "app"}, {"code", exampleCode}, {"redirect_uri", exampleCallback}, {"code_verifier", exampleVerifier},
	}.with(changes).encode())
	return statusAndCode(err)
}

func statusAndCode(err error) string {
	if err == nil {
		return "pass"
	}
	e := oauth.AsError(err)
	return fmt.Sprintf("%d %s", e.Status, e.Code)
}

func decideUserInfo(t testing.TB, changes []change) string {
	header := http.Header{"Authorization": {"Bearer mF_9.B5f-4.1JqM"}}
	for _, c := range changes {
		if c.how == '+' {
			_, value, _ := strings.Cut(c.name+": "+c.value, ": ")
			header.Add("Authorization", value)
		}
	}
	query := fields(header, changes)
	_, err := decisionPolicy(t).parseUserInfo(query, header, false)
	if err != nil && !strings.Contains(oauth.AsError(err).Challenge, "error=") {
		return fmt.Sprintf("%d -", oauth.AsError(err).Status)
	}
	return statusAndCode(err)
}

func decideCallback(t testing.TB, changes []change) string {
	g := newSealedGateway(t, func(c *Config) { c.Issuer, c.Clients = "https://idp.example", decisionClients() })
	g.Policy = g.withMetadata(&discovery.Metadata{Issuer: "https://idp.example", SendsIssuer: true})
	state := g.begin().Get("state")
	c, err := parseCallback(http.MethodGet, parameters{
		{"code", exampleCode}, {"state", state}, {"iss", "https%3A%2F%2Fidp.example"},
	}.with(changes).encode(), nil, "")
	if err != nil {
		return "refused"
	}
	response, err := g.takeCallback(g.s, c)
	if err != nil {
		return "refused"
	}
	return redirected(t, response.Response)
}

func decideResponse(t testing.TB, changes []change) string {
	members := parameters{
		{"status", "200"}, {"access_token", `"2YotnFZFEjr1zCsicMWpAA"`}, {"token_type", `"Bearer"`}, {"expires_in", "3600"},
	}.with(changes)
	r := Response{Header: http.Header{"Content-Type": {"application/json"}}}
	object := make(map[string]json.RawMessage)
	for _, member := range members {
		if member[0] == "status" {
			status := must.Have(strconv.Atoi(member[1]))(t)
			r.Status = status
			continue
		}
		object[member[0]] = json.RawMessage(member[1])
	}
	body := must.Have(json.Marshal(object))(t)
	r.Body = body
	if _, err := decisionPolicy(t).checkTokenResponse(r, nil); err != nil {
		return "refused"
	}
	return "pass"
}
