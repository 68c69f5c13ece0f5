// Package trust says whose assertions buy access tokens of the gateway's own (RFC 7523 section
// 2.1), without a login and without a page. An issuer is trusted for one purpose at a time:
//
//   - [IDJAG]: a company's identity provider lets a client act for a user
//     (draft-ietf-oauth-identity-assertion-authz-grant). The client authenticates, and the
//     assertion is good once.
//   - [Workload]: a platform says which of its workloads has the token, such as a CI job or a
//     service account (Workload Identity Federation, an authorization extension of MCP). There is
//     neither a user nor a client, and one token may come many times.
//
// Anybody can have a token of a public platform for any audience. So which workload it is, is
// always a rule on claims.
package trust

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/users"
)

// Purpose is what an issuer is trusted for.
type Purpose string

// The purposes.
const (
	IDJAG    Purpose = "id_jag"
	Workload Purpose = "workload"
)

// Rule is an issuer that is trusted for a purpose, and what its assertions buy. Of several rules
// for one issuer those count that hold for an assertion.
type Rule struct {
	// The issuer of the assertions: what stands in `iss`, with or without a slash at the end. Its metadata says
	// where its keys are. Required.
	Issuer string `json:"issuer"`
	// What it is trusted for: `id_jag`, assertions about users, each for a client that
	// authenticates (draft-ietf-oauth-identity-assertion-authz-grant); or `workload`, tokens of
	// what runs at a platform. Required.
	Purpose Purpose `json:"purpose"`
	// The clients that may use its assertions, with `id_jag`. Default: all that authenticate.
	Clients []string `json:"clients,omitempty"`
	// The scopes that its assertions may buy. Default: any of the resource.
	Scopes []string `json:"scopes,omitempty"`
	// Claims by their paths, and the values of which an assertion must have one. Required with
	// `workload`.
	Claims []users.Claim `json:"claims,omitempty"`
	// Its public keys (a JWK Set): a file, or a URL. Default: where its metadata says.
	JWKS string `json:"jwks,omitempty"`
}

type rule struct {
	Rule

	conditions *users.Rules // nil: none
}

// Rules are compiled rules. A nil Rules trusts nobody.
type Rules struct {
	rules    []rule
	own      string // the IdP whose users log in here
	issuer   string // the gateway
	audience string // its token endpoint
}

// New compiles rules. own is the issuer of the IdP whose users log in at the gateway; issuer is
// the gateway, endpoint its token endpoint. It is nil without any rule.
func New(rules []Rule, own, issuer, endpoint string) (*Rules, error) {
	if len(rules) == 0 {
		return nil, nil
	}
	compiled := &Rules{own: bare(own), issuer: issuer, audience: endpoint}
	for _, configured := range rules {
		r := rule{Rule: configured}
		err := r.check()
		if err == nil {
			r.conditions, err = users.CompileClaims(r.Claims, r.Issuer)
		}
		if err != nil {
			return nil, fmt.Errorf("trust %s: %w", configured.Issuer, err)
		}
		if r.Issuer = bare(r.Issuer); r.Issuer == issuer {
			return nil, fmt.Errorf("trust %s: this is the gateway itself, whose assertions buy nothing here", r.Issuer)
		}
		if jwks, known := compiled.Issuers()[r.Issuer]; known && jwks != r.JWKS {
			return nil, fmt.Errorf("trust %s: its blocks name different jwks; an issuer has one set of keys", r.Issuer)
		}
		compiled.rules = append(compiled.rules, r)
	}
	return compiled, nil
}

// bare is an issuer without a slash at the end, which some have and everybody leaves out.
func bare(issuer string) string { return strings.TrimSuffix(issuer, "/") }

// ofEveryToken are the claims that say nothing of whose a token is.
var ofEveryToken = []string{"iss", "aud", "exp", "nbf", "iat", "jti", "azp"}

func (r *Rule) check() error {
	if err := discovery.CheckIssuer(r.Issuer); err != nil {
		return fmt.Errorf("the issuer %w; write it as it stands in its tokens (iss)", err)
	}
	switch {
	case r.Purpose == Workload && len(r.Claims) == 0:
		return errors.New("workload needs a claim: without one, whatever runs at this platform gets tokens, whoever runs it; " +
			"such as claim repository_id 123456 and claim ref refs/heads/main")
	case r.Purpose == Workload && len(r.Clients) > 0:
		return errors.New("workload and client: a workload has its token and is not a client; leave out client")
	case r.Purpose != Workload && r.Purpose != IDJAG:
		return errors.New("needs id_jag, for assertions about users, or workload, for tokens of what runs at a platform")
	}
	for _, scope := range r.Scopes {
		if scope == "" || !syntax.ScopeChar.Holds(scope) {
			return fmt.Errorf("scope %s is not a scope name", scope)
		}
	}
	for _, c := range r.Claims {
		if slices.Contains(ofEveryToken, c.Path) {
			return fmt.Errorf("claim %s says nothing of whose an assertion is; name one that does", c.Path)
		}
	}
	return nil
}

// Issuers are those that are trusted, each once, with their jwks, "" if their metadata says where
// the keys are.
func (r *Rules) Issuers() map[string]string {
	issuers := make(map[string]string)
	if r != nil {
		for i := range r.rules {
			issuers[r.rules[i].Issuer] = r.rules[i].JWKS
		}
	}
	return issuers
}

// HaveKeys reports whether there are keys of each issuer.
func (r *Rules) HaveKeys(keys map[string]clients.KeySet) bool {
	for issuer := range r.Issuers() {
		if keys[issuer] == nil {
			return false
		}
	}
	return true
}

// IsFor reports whether some issuer is trusted for a purpose.
func (r *Rules) IsFor(purpose Purpose) bool {
	return r != nil && slices.ContainsFunc(r.rules, func(one rule) bool { return one.Purpose == purpose })
}

// IsForOthersOnly reports whether assertions about users are trusted, and none of the IdP whose
// users log in here.
func (r *Rules) IsForOthersOnly() bool {
	return r.IsFor(IDJAG) && !slices.ContainsFunc(r.rules, func(one rule) bool { return one.Purpose == IDJAG && one.Issuer == r.own })
}

// Clients are the clients that rules name.
func (r *Rules) Clients() (ids []string) {
	if r != nil {
		for i := range r.rules {
			ids = append(ids, r.rules[i].Clients...)
		}
	}
	return ids
}

// ForAnyClient reports whether some issuer's assertions about users are for every client that
// authenticates.
func (r *Rules) ForAnyClient() bool {
	return r != nil && slices.ContainsFunc(r.rules, func(one rule) bool { return one.Purpose == IDJAG && len(one.Clients) == 0 })
}

// Owns reports whether a subject is that of a trusted issuer's user or workload. No user of the
// IdP may have it.
func (r *Rules) Owns(subject string) bool {
	issuer, _, ok := strings.Cut(subject, subjectSeparator)
	return ok && r != nil && slices.ContainsFunc(r.rules, func(one rule) bool { return one.Issuer == issuer })
}

// subjectSeparator is between an issuer and its name of a subject. No issuer has one (RFC 8414
// section 2).
const subjectSeparator = "#"
