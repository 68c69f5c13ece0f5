package idp

import (
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/grants"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// workload is a token of a platform.
func (a *agent) workload(with map[string]any) map[string]any {
	return replacedClaims(map[string]any{
		"iss": kubernetes, "sub": "system:serviceaccount:prod:deployer", "aud": []string{gatewayURL + "/oauth/token"},
		"iat": a.sealed.now.Unix(), "exp": a.sealed.now.Add(10 * time.Minute).Unix(), "kubernetes.io": map[string]any{"namespace": "prod"},
	}, with)
}

// MCP, Workload Identity Federation: no client, no user, and the token as often as it likes.
func TestAWorkloadBuysTokensWithItsOwn(t *testing.T) {
	for name, tc := range map[string]struct {
		typ     any
		claims  map[string]any
		request []string
		scope   string
		expires time.Duration
	}{
		"a service account of Kubernetes":        {scope: "write"},
		"with typ":                               {typ: "JWT", scope: "write"},
		"for the issuer":                         {claims: map[string]any{"aud": gatewayURL}, scope: "write"},
		"a CI job, whose id is a number":         {claims: map[string]any{"kubernetes.io": nil, "repository_id": 42, "ref": "refs/heads/main"}, scope: "read"},
		"two rules hold":                         {claims: map[string]any{"repository_id": "42", "ref": "refs/heads/main"}, scope: "read write"},
		"two rules hold, and it asks for less":   {claims: map[string]any{"repository_id": "42", "ref": "refs/heads/main"}, request: []string{"scope", "read"}, scope: "read"},
		"it asks for more":                       {request: []string{"scope", "read write"}, scope: "write"},
		"its token is good for a day":            {claims: map[string]any{"exp": 1_800_086_400}, scope: "write", expires: time.Hour},
		"a client_id, which some libraries send": {request: []string{"client_id", "whatever"}, scope: "write"},
		"what it says of a scope is not for us":  {claims: map[string]any{"scope": []string{"read"}, "resource": 7, "client_id": 7, "jti": 7}, scope: "write"},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAgent(t, false, withDirectGrants)
			assertion := a.signed(tc.typ, a.workload(tc.claims))
			for range 3 {
				result := a.present(assertion, "", tc.request...)
				token := a.direct(result)
				require.Equal(t, "workload:"+kubernetes+"#system:serviceaccount:prod:deployer", token.Subject)
				require.Equal(t, token.Subject, token.ClientID)
				require.Equal(t, tc.scope, token.Scope)
				require.Equal(t, serverA, token.Resource)
				if tc.expires == 0 {
					tc.expires = 10 * time.Minute
				}
				require.Equal(t, a.sealed.now.Add(tc.expires).Unix(), token.Expires.Unix(), "it ends with the workload's own")
			}
		})
	}
}

func TestAWorkloadThatIsRefused(t *testing.T) {
	job := func(pairs ...any) func(*agent) map[string]any {
		return of(append([]any{"kubernetes.io", nil, "repository_id", "42", "repository", "company/app", "ref", "refs/heads/main"}, pairs...)...)
	}
	for name, tc := range map[string]struct {
		claims  func(*agent) map[string]any
		typ     any
		request []string
		header  []string
		code    oauth.Code
		says    string
	}{
		"of another namespace":               {claims: of("kubernetes.io", map[string]any{"namespace": "dev"}), says: "kubernetes.io.namespace"},
		"a namespace that says it is":        {claims: of("kubernetes.io", nil, "namespace", "prod"), says: "kubernetes.io.namespace"},
		"of a fork":                          {claims: job("repository_id", "43"), says: "repository_id"},
		"of a repository that took the name": {claims: job("repository_id", "99"), says: "repository_id"},
		"of a branch":                        {claims: job("ref", "refs/pull/7/merge"), says: "ref"},
		"of a branch with a longer name":     {claims: job("ref", "refs/heads/main2"), says: "ref"},
		"for somebody else":                  {claims: of("aud", "https://kubernetes.default.svc"), says: "aud of assertion must be this gateway's token endpoint"},
		"for somebody else, too":             {claims: of("aud", []string{gatewayURL, "https://kubernetes.default.svc"}), says: "alone"},
		"expired":                            {claims: func(a *agent) map[string]any { return map[string]any{"exp": a.sealed.now.Unix()} }, says: "expired"},
		"an ID token of a login":             {claims: of("nonce", "n"), says: "is an ID token or logout token"},
		"a logout token":                     {claims: of("events", map[string]any{}), says: "is an ID token or logout token"},
		"as an access token":                 {typ: "at+jwt", says: "another kind of JWT"},
		"from an issuer trusted for users":   {claims: of("iss", ownIdP), says: "not trusted here for tokens of workloads"},
		"with a client's secret":             {request: []string{"client_id", "desk", "client_secret", "x"}, code: oauth.InvalidRequest, says: "leave out client authentication"},
		"with a client's header":             {header: []string{"Authorization", basicHeader("desk", "x")}, code: oauth.InvalidRequest, says: "leave out client authentication"},
		"with a proof":                       {header: []string{"Dpop", "x"}, code: oauth.InvalidRequest, says: "DPoP is not supported"},
		"a resource that there is not":       {request: []string{"resource", "https://elsewhere.example"}, code: oauth.InvalidTarget, says: "resource is not one"},
		"a scope that it may not have":       {request: []string{"scope", "read"}, says: "no scope is left"},
		"a scope that is none":               {request: []string{"scope", "a\"b"}, code: oauth.InvalidScope, says: "scope"},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAgent(t, false, withDirectGrants)
			var with map[string]any
			if tc.claims != nil {
				with = tc.claims(a)
			}
			q := url.Values{"grant_type": {string(grants.Assertion)}, "assertion": {a.signed(tc.typ, a.workload(with))}}
			result := a.do("POST", "/oauth/token", replaced(q, tc.request), tc.header...)
			if tc.code == "" {
				tc.code = oauth.InvalidGrant
			}
			require.Contains(t, string(result.Body), `"error":"`+string(tc.code)+`"`)
			require.Contains(t, string(result.Body), tc.says)
			require.Nil(t, result.Issued)
		})
	}
}
