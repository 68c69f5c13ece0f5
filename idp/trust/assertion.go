package trust

import (
	"context"
	"crypto/sha256"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/idp/claims"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jwt"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/jwks"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

const (
	// clockSkew is how far ahead an issuer's clock may be.
	clockSkew = time.Minute
	// MaxIDJAG is how long one may be good for.
	MaxIDJAG = time.Hour
	// maxID and maxSubject are the longest jti and sub, in bytes.
	maxID, maxSubject = 256, 255

	// typeIDJAG is the typ of an ID-JAG, in lower case and without application/.
	typeIDJAG = "oauth-id-jag+jwt"

	sourceIDJAG    = "draft-ietf-oauth-identity-assertion-authz-grant section 4.4.1"
	sourceRFC7523  = "RFC 7523 section 3"
	sourceWorkload = "MCP, Workload Identity Federation"
)

// Assertion is one whose form is good and whose issuer is trusted for what it is. Nothing of it
// is verified.
type Assertion struct {
	Purpose Purpose

	rules   []*rule // of its issuer, for its purpose
	of      *Rules
	issuer  string
	signed  *jose.JSONWebSignature
	claims  claims.Object
	decided payload
}

type payload struct {
	Issuer    string   `json:"iss"`
	Subject   string   `json:"sub"`
	Audience  jwt.List `json:"aud"`
	Expires   *float64 `json:"exp"`
	NotBefore float64  `json:"nbf"`
	IssuedAt  *float64 `json:"iat"`

	// Of an ID-JAG.
	ID           jsontext.Value `json:"jti"`
	ClientID     jsontext.Value `json:"client_id"`
	Scope        jsontext.Value `json:"scope"`
	Resource     jsontext.Value `json:"resource"`
	Confirmation jsontext.Value `json:"cnf"`

	// Of tokens for another purpose: ID tokens, logout tokens.
	Nonce  jsontext.Value `json:"nonce"`
	ATHash jsontext.Value `json:"at_hash"`
	CHash  jsontext.Value `json:"c_hash"`
	Events jsontext.Value `json:"events"`
}

func reject(source, description string) *oauth.Error {
	return oauth.Reject(oauth.InvalidGrant, source, description)
}

// Parse reads an assertion, and says for what it is one.
func (r *Rules) Parse(assertion string) (*Assertion, error) {
	if assertion == "" {
		return nil, params.Missing("assertion", "RFC 7523 section 2.1")
	}
	signed, err := jwks.Parse(assertion)
	if err != nil {
		return nil, reject(sourceRFC7523, "assertion is not a JWT with an asymmetric signature")
	}
	a := &Assertion{of: r, signed: signed, claims: claims.Object(signed.UnsafePayloadWithoutVerification())}
	if jsontext.Value(a.claims).Kind() != '{' || json.Unmarshal(a.claims, &a.decided) != nil {
		return nil, reject(sourceRFC7523, "the claims of assertion can't be read")
	}
	switch jwt.Type(signed.Signatures[0].Protected) {
	case typeIDJAG:
		a.Purpose = IDJAG
	case "", "jwt":
		a.Purpose = Workload
	default:
		return nil, reject("RFC 8725 section 3.11", "the typ of assertion is that of another kind of JWT")
	}
	a.issuer = bare(a.decided.Issuer)
	for i := range r.rules {
		if one := &r.rules[i]; one.Issuer == a.issuer && one.Purpose == a.Purpose {
			a.rules = append(a.rules, one)
		}
	}
	if len(a.rules) == 0 {
		return nil, a.notTrusted()
	}
	return a, nil
}

func (a *Assertion) notTrusted() error {
	if a.Purpose == IDJAG {
		return reject(sourceIDJAG, "the issuer of assertion is not trusted here for assertions about users; the gateway's operator can add trust with id_jag")
	}
	if a.of.IsFor(Workload) {
		return reject(sourceRFC7523, "the issuer of assertion is not trusted here for tokens of workloads; the gateway's operator can add trust with workload")
	}
	return reject(sourceIDJAG, "the typ of assertion must be "+typeIDJAG+": an ID token or access token is no authorization grant; exchange it at the identity provider")
}

// Grant is what an assertion that was verified buys.
type Grant struct {
	// Subject is the user or workload, as the gateway's own tokens name it.
	Subject string
	// IsOwn: it is a user of the IdP whose users log in here.
	IsOwn bool
	// Claims are all that the issuer says.
	Claims claims.Object
	// Scope is what the assertion is for, Scoped whether it says so. Limit are the scopes that the
	// issuer may give, nil for any.
	Scope  string
	Scoped bool
	Limit  []string
	// Resources are those that the assertion is for, nil if it does not say.
	Resources []string
	// Expires is when the assertion does.
	Expires time.Time
	// Once is what is to be claimed, so that it is good once; zero for any number of times. It is
	// to be remembered until Expires and a little longer: [Grant.Remember].
	Once replay.Key
	// Key is that which the holder has to prove to have, zero for none.
	Key dpop.Thumbprint
}

// IsUser reports an assertion about a user.
func (g *Grant) IsUser() bool { return g.Once != replay.Key{} }

// Remember is for how long it has to be remembered, from a time on, that the assertion was used.
func (g *Grant) Remember(now time.Time) time.Duration { return g.Expires.Sub(now) + 2*clockSkew }

// Verify checks an assertion at a time, with the keys of its issuer. clientID is the client that
// has authenticated, "" with [Workload]. It does not say whether the assertion was used before.
func (a *Assertion) Verify(ctx context.Context, keys map[string]clients.KeySet, clientID string, now time.Time) (*Grant, error) {
	g := &Grant{Claims: a.claims}
	for _, check := range [...]func(*Grant, string, time.Time) error{a.checkTime, a.checkAudience, a.checkSubject, a.checkKind} {
		if err := check(g, clientID, now); err != nil {
			return nil, err
		}
	}
	wrong := reject(sourceRFC7523, "assertion is not signed with a key of its issuer")
	if err := clients.VerifySignature(ctx, keys[a.issuer], a.signed, wrong); err != nil {
		return nil, err
	}
	return g, a.checkRules(g, clientID)
}

func (a *Assertion) checkTime(g *Grant, _ string, now time.Time) error {
	const latest = 253402300799 // the year 9999
	c := &a.decided
	ahead := float64(now.Add(clockSkew).Unix())
	switch {
	case c.Expires == nil:
		return reject(sourceRFC7523, "assertion does not say when it expires (exp)")
	case c.NotBefore > ahead, c.IssuedAt != nil && *c.IssuedAt > ahead:
		return reject(sourceRFC7523, "assertion is from the future; the clocks may be apart")
	}
	g.Expires = time.Unix(int64(math.Min(math.Max(*c.Expires, 0), latest)), 0)
	switch {
	case !now.Before(g.Expires):
		return reject(sourceRFC7523, "assertion has expired; get another one")
	case a.Purpose == IDJAG && g.Expires.After(now.Add(MaxIDJAG+clockSkew)):
		return reject(sourceIDJAG, "assertion is good for more than an hour; the identity provider has to make one for each request")
	case a.Purpose == IDJAG && c.IssuedAt == nil:
		return reject(sourceIDJAG, "assertion does not say when it was made (iat)")
	}
	return nil
}

// checkAudience holds an assertion to this gateway. Another recipient could use here what it is
// for, too.
func (a *Assertion) checkAudience(*Grant, string, time.Time) error {
	aud := a.decided.Audience
	ours := len(aud) == 1 && (bare(aud[0]) == a.of.issuer || a.Purpose == Workload && aud[0] == a.of.audience)
	switch {
	case ours:
		return nil
	case a.Purpose == IDJAG:
		return reject(sourceIDJAG, "aud of assertion must be this gateway's issuer, "+a.of.issuer+", alone")
	}
	return reject(sourceWorkload, "aud of assertion must be this gateway's token endpoint, "+a.of.audience+", or its issuer, alone")
}

// checkSubject names the subject, so that nobody has the name of another: not the same sub at two
// issuers (RFC 8725 section 3.8), and not a machine that of a user.
func (a *Assertion) checkSubject(g *Grant, _ string, _ time.Time) error {
	sub := a.decided.Subject
	if sub == "" || len(sub) > maxSubject || !syntax.VSChar.Holds(sub) {
		return reject(sourceRFC7523, "assertion needs a sub of printable ASCII, at most "+strconv.Itoa(maxSubject)+" bytes")
	}
	qualified := a.issuer + subjectSeparator + sub
	switch {
	case a.Purpose == Workload:
		g.Subject = gatewaytoken.WorkloadSubject(qualified)
	case a.issuer != a.of.own:
		g.Subject = qualified
	case gatewaytoken.IsMachine(sub), a.of.Owns(sub):
		return reject(sourceRFC7523, "sub of assertion is a name that this gateway has for something else than this issuer's users")
	default:
		g.Subject, g.IsOwn = sub, true
	}
	return nil
}

// checkKind rejects what is no assertion of its kind, and reads what is peculiar to it.
func (a *Assertion) checkKind(g *Grant, clientID string, _ time.Time) error {
	c := &a.decided
	if a.Purpose == Workload {
		if c.Nonce != nil || c.ATHash != nil || c.CHash != nil || c.Events != nil {
			return reject("RFC 8725 section 2.8", "assertion is an ID token or logout token, which is no authorization grant")
		}
		return nil
	}
	id, ok := text(c.ID)
	if !ok || id == "" || len(id) > maxID {
		return reject(sourceIDJAG, "assertion needs a jti of at most "+strconv.Itoa(maxID)+" bytes")
	}
	if client, ok := text(c.ClientID); !ok || client != clientID {
		return reject(sourceIDJAG, "client_id of assertion is not the client that has authenticated")
	}
	if c.Scope != nil {
		if g.Scope, g.Scoped = text(c.Scope); !g.Scoped {
			return reject(sourceIDJAG, "scope of assertion must be a string")
		}
	}
	if c.Resource != nil {
		if (*jwt.List)(&g.Resources).UnmarshalJSON(c.Resource) != nil || len(g.Resources) == 0 {
			return reject(sourceIDJAG, "resource of assertion must be a URI, or a list of them")
		}
	}
	g.Once = sha256.Sum256([]byte("id-jag\x00" + a.issuer + "\x00" + id))
	return a.readKey(g)
}

// readKey reads what the assertion is bound to (RFC 7800 section 3.1).
func (a *Assertion) readKey(g *Grant) error {
	if a.decided.Confirmation == nil {
		return nil
	}
	var members map[string]string
	if json.Unmarshal(a.decided.Confirmation, &members) == nil && len(members) == 1 {
		var ok bool
		if g.Key, ok = dpop.ParseThumbprint(members["jkt"]); ok {
			return nil
		}
	}
	return reject("RFC 7800 section 3.1", "assertion is bound to something else than a key (cnf.jkt), which can't be checked here")
}

// checkRules holds an assertion that is genuine to the rules for its issuer.
func (a *Assertion) checkRules(g *Grant, clientID string) error {
	var asked []string
	forClient, holds, limited := false, false, true
	for _, one := range a.rules {
		if len(one.Clients) > 0 && !slices.Contains(one.Clients, clientID) {
			continue
		}
		forClient = true
		if one.conditions.Check(a.claims) != nil {
			for _, path := range one.conditions.Paths() {
				if !slices.Contains(asked, path) {
					asked = append(asked, path)
				}
			}
			continue
		}
		holds, limited = true, limited && len(one.Scopes) > 0
		g.Limit = append(g.Limit, one.Scopes...)
	}
	switch {
	case holds && !limited:
		g.Limit = nil
		return nil
	case holds:
		return nil
	case !forClient:
		return reject(sourceIDJAG, "the issuer of assertion is not trusted for this client; the gateway's operator can name it in trust")
	}
	return reject(sourceRFC7523, "assertion has not the claims that the gateway's operator asks of this issuer (trust): "+strings.Join(asked, ", "))
}

// text is a claim that is a string.
func text(value jsontext.Value) (s string, ok bool) {
	return s, value.Kind() == '"' && json.Unmarshal(value, &s) == nil
}
