package decision

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

func newRequest() (*http.Request, *caddy.Replacer) {
	replacer := caddy.NewReplacer()
	r := caddyhttp.PrepareRequest(httptest.NewRequest("GET", "/authorize", nil), replacer, httptest.NewRecorder(), new(caddyhttp.Server))
	return r, replacer
}

// decide is a decision about one more request at the token endpoint.
func decide(description string) *Decision {
	d := &Decision{Decision: idp.Decision{Endpoint: "token", ClientID: "app"}}
	d.Refuse(&oauth.Error{Code: oauth.InvalidGrant, Status: 400, Source: "RFC 7636 section 4.6", Description: description})
	return d
}

func TestARefusalIsOneLine(t *testing.T) {
	core, lines := observer.New(zapcore.InfoLevel)
	r, _ := newRequest()
	caddyhttp.SetVar(r.Context(), caddyhttp.ClientIPVarKey, "192.0.2.7")
	caddyhttp.SetVar(r.Context(), "trace_id", "0af7651916cd43dd8448eb211c80319c")
	d := decide("code_verifier does not belong to the code_challenge")
	NewLog(zap.New(core)).Refused(r, d.Line())
	require.Equal(t, 1, lines.Len())
	require.Equal(t, map[string]any{
		"reference": d.Reference(), "endpoint": "token", "outcome": "invalid_grant", "status": int64(400),
		"rule": "code_verifier does not belong to the code_challenge", "source": "RFC 7636 section 4.6",
		"client_id": "app", "client_ip": "192.0.2.7", "trace_id": "0af7651916cd43dd8448eb211c80319c",
	}, lines.All()[0].ContextMap())
}

func TestAFloodOfRefusalsIsCountedNotLogged(t *testing.T) {
	core, lines := observer.New(zapcore.InfoLevel)
	l, now := NewLog(zap.New(core)), time.Unix(1e9, 0)
	l.now = func() time.Time { return now }
	r, _ := newRequest()
	for range 1000 {
		l.Refused(r, decide("one rule").Line())
	}
	require.Equal(t, PerSecond, lines.Len(), "in a second")
	l.Refused(r, decide("another rule").Line())
	require.Equal(t, 1, lines.FilterField(zap.String("rule", "another rule")).Len(), "each rule has its own limit")

	now = now.Add(time.Second)
	l.Refused(r, decide("one rule").Line())
	l.Refused(r, decide("one rule").Line())
	all := lines.FilterField(zap.String("rule", "one rule")).All()
	require.Len(t, all, PerSecond+2)
	require.EqualValues(t, 1000-PerSecond, all[PerSecond].ContextMap()["suppressed"], "the next line says how many there were")
	require.NotContains(t, all[PerSecond+1].ContextMap(), "suppressed")
}

func TestEveryRefusalIsLoggedAtDebug(t *testing.T) {
	core, lines := observer.New(zapcore.DebugLevel)
	l := NewLog(zap.New(core))
	r, _ := newRequest()
	for range 1000 {
		l.Refused(r, decide("one rule").Line())
	}
	require.Equal(t, 1000, lines.Len())
}

func TestRulesThatNobodyFixedTakeBoundedMemory(t *testing.T) {
	l := NewLog(zap.NewNop())
	r, _ := newRequest()
	for i := range 10 * maxRules {
		l.Refused(r, decide(fmt.Sprintf("the parameter p%d occurs more than once", i)).Line())
	}
	require.Len(t, l.rules, maxRules+1)
}

func TestPlaceholdersShowTheDecision(t *testing.T) {
	r, replacer := newRequest()
	d := &Decision{Decision: idp.Decision{Endpoint: "authorize"}}
	d.SetPlaceholders(r, "http.identity_gateway.")
	const all = "{http.identity_gateway.endpoint} {http.identity_gateway.outcome} {http.identity_gateway.client_id} " +
		"{http.identity_gateway.status} {http.identity_gateway.rule} {http.identity_gateway.source}"
	require.Equal(t, "authorize     ", replacer.ReplaceKnown(all, ""), "while nothing is decided")
	d.Outcome = idp.Passed
	require.Equal(t, "authorize passed    ", replacer.ReplaceKnown(all, ""))
	d.ClientID = "app"
	d.Refuse(&oauth.Error{Code: "made_up_by_an_idp", Status: 400, Source: "RFC 6749 section 4.1.2.1", Description: "no"})
	require.Equal(t, "authorize other app 400 no RFC 6749 section 4.1.2.1", replacer.ReplaceKnown(all, ""))
	require.Equal(t, d.Reference(), replacer.ReplaceAll("{http.identity_gateway.reference}", ""))
	require.Regexp(t, "^[A-Z2-7]{10}$", d.Reference())
	require.Equal(t, "{http.identity_gateway.code}", replacer.ReplaceKnown("{http.identity_gateway.code}", ""))
}

func TestAnOutcomeSaysMoreThanTheCode(t *testing.T) {
	d := &Decision{Decision: idp.Decision{Outcome: idp.ConfusedPath}}
	d.Refuse(&oauth.Error{Code: oauth.InvalidRequest, Status: 404})
	require.Equal(t, "path_confusion", d.Outcome)
}

// Who makes up parameters, so that there is no room for more rules, hides no other line.
func TestMadeUpRulesHideNoOthers(t *testing.T) {
	core, lines := observer.New(zapcore.InfoLevel)
	l := NewLog(zap.New(core))
	l.now = func() time.Time { return time.Unix(1e9, 0) }
	r, _ := newRequest()
	for i := range 2 * maxRules {
		d := &Decision{Decision: idp.Decision{Endpoint: "authorize"}}
		d.Refuse(&oauth.Error{Code: oauth.InvalidRequest, Status: 400, Description: fmt.Sprintf("the parameter p%d occurs more than once", i)})
		l.Refused(r, d.Line())
	}
	l.Refused(r, decide("the refresh token was used before").Line())
	require.Equal(t, 1, lines.FilterField(zap.String("outcome", "invalid_grant")).Len())
}

// Whoever sends refused requests without end, as many users as he likes, fills no disk.
func TestLinesOfUsersAreBounded(t *testing.T) {
	core, lines := observer.New(zapcore.InfoLevel)
	l := NewLog(zap.New(core))
	now := time.Unix(1e9, 0)
	l.now = func() time.Time { return now }
	for range 1000 {
		l.Limited(zapcore.InfoLevel, "tool call", "ada")
	}
	l.Limited(zapcore.InfoLevel, "tool call", "grace")
	require.Equal(t, PerSecond+1, lines.Len(), "each has a limit of his own")
	for i := range 10 * maxRules {
		l.Limited(zapcore.InfoLevel, "tool call", fmt.Sprint("made up ", i))
	}
	require.Len(t, l.rules, maxRules+1)
	require.Equal(t, 2*PerSecond+maxRules-1, lines.Len())

	now = now.Add(rememberRule)
	l.Limited(zapcore.InfoLevel, "tool call", "noor")
	require.LessOrEqual(t, len(l.rules), 2, "who has left takes no room")
	for range PerSecond {
		l.Limited(zapcore.InfoLevel, "tool call", "")
	}
	all := lines.All()
	require.EqualValues(t, 10*maxRules+1000-PerSecond-(PerSecond+maxRules-2), all[len(all)-PerSecond].ContextMap()["suppressed"], "all are counted")
}
