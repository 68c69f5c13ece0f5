// Package users decides which users of an identity provider may come in, by what it says of them.
package users

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/identity-gateway/caddy-identity-gateway/idp/claims"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/vendors"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// Rule is what must hold of a user: all of it, and of each list one value.
type Rule struct {
	// Addresses that the identity provider has verified, such as `ada@example.org`. Case counts only before
	// the @.
	Emails []string `json:"email,omitempty"`
	// Organizations: at Google, that which the account is managed by (hd); elsewhere, the domain
	// of the verified address, exactly.
	Domains []string `json:"domain,omitempty"`
	// Claims by their paths, such as `groups` or `realm_access.roles`, and the values of which a user must
	// have one.
	Claims []Claim `json:"claim,omitempty"`
}

// Claim is a claim with the values of which one is enough.
type Claim struct {
	Path   string   `json:"path"`
	Values []string `json:"values"`
}

// Rules are compiled for users of one issuer. One of them has to hold. A nil Rules lets
// everybody in.
type Rules struct {
	rules  []Rule
	google bool
}

// Compile checks rules. It is nil without any.
func Compile(rules []Rule, issuer string) (*Rules, error) {
	if len(rules) == 0 {
		return nil, nil
	}
	r := &Rules{rules: slices.Clone(rules), google: issuer == vendors.Google}
	for i := range r.rules {
		if err := r.rules[i].compile(issuer); err != nil {
			return nil, fmt.Errorf("users: %w", err)
		}
	}
	return r, nil
}

// CompileClaims is [Compile] for conditions on claims that all must hold, as resource servers have
// them. One on email is held to a verified address, one on hd to the organization of an account at Google.
func CompileClaims(conditions []Claim, issuer string) (*Rules, error) {
	if len(conditions) == 0 {
		return nil, nil
	}
	r := &Rules{rules: make([]Rule, 1), google: issuer == vendors.Google}
	all := &r.rules[0]
	for _, c := range conditions {
		switch {
		case len(c.Values) == 0: // which the lists below would take for no condition
			return nil, incomplete(c)
		case c.Path == "email" && all.Emails == nil:
			all.Emails = c.Values
		case c.Path == "hd" && r.google && all.Domains == nil:
			all.Domains = c.Values
		default:
			all.Claims = append(all.Claims, c)
		}
	}
	return r, all.compile(issuer)
}

func (r *Rule) compile(issuer string) error {
	if len(r.Emails)+len(r.Domains)+len(r.Claims) == 0 {
		return errors.New("a block needs email, domain or claim; without any it would let everybody in")
	}
	if vendors.VerifiesNoAddress(issuer) && len(r.Emails)+len(r.Domains) > 0 {
		return errors.New("at Entra ID no address is verified, so that email and domain let nobody in; use claim roles or claim groups, with ids")
	}
	r.Emails, r.Domains = slices.Clone(r.Emails), slices.Clone(r.Domains)
	for i, address := range r.Emails {
		folded, domain := fold(address)
		if domain == "" {
			return fmt.Errorf("email %s is not an address such as ada@example.org", address)
		}
		r.Emails[i] = folded
	}
	for i, domain := range r.Domains {
		if r.Domains[i] = strings.ToLower(domain); !isDomain(domain) {
			return fmt.Errorf("domain %s is not a domain such as example.com: write it without @, *, and in ASCII (xn--…)", domain)
		}
	}
	for _, c := range r.Claims {
		if !syntax.ErrorChar.Holds(c.Path) || c.Path == "" || len(c.Values) == 0 {
			return incomplete(c)
		}
		if c.Path == "email" || c.Path == "hd" {
			return fmt.Errorf("claim %s is judged by email and domain; use these", c.Path)
		}
	}
	return nil
}

func incomplete(c Claim) error {
	return fmt.Errorf("claim %s needs a name and at least one value: claim groups engineering", c.Path)
}

// Refusal says why a user may not come in. It has nothing of the user in it.
type Refusal struct {
	// Missing are the claims by which rules decide and which the identity provider did not say, or not as
	// verified.
	Missing []string
}

// Error implements error.
func (r *Refusal) Error() string {
	if len(r.Missing) > 0 {
		return "the identity provider does not say, or has not verified: " + strings.Join(r.Missing, ", ")
	}
	return "no rule of users holds"
}

// ErrOverage is that Entra ID leaves the groups out of a token, because they are many.
var ErrOverage = errors.New("the identity provider has left groups out of its token, because the user is in too many; use app roles (claim roles), " +
	"or have it send only the groups that are assigned to the application")

// Check returns nil if one of the rules holds, and otherwise a [*Refusal] or [ErrOverage].
func (r *Rules) Check(o claims.Object) error {
	if r == nil {
		return nil
	}
	var missing []string
	for i := range r.rules {
		lacks, holds := r.rules[i].check(o, r.google)
		if holds {
			return nil
		}
		for _, path := range lacks {
			if path == "groups" && hasOverage(o) {
				return ErrOverage
			}
			if !slices.Contains(missing, path) {
				missing = append(missing, path)
			}
		}
	}
	return &Refusal{Missing: missing}
}

// IsDecided reports whether claims were enough for [Rules.Check], whose error this is: a rule holds,
// or none lacks a claim that another source may have.
func IsDecided(err error) bool {
	var refusal *Refusal
	return !errors.As(err, &refusal) || len(refusal.Missing) == 0
}

// Scopes are those by which OpenID Providers give what the rules look at (OpenID Connect Core 1.0
// section 5.4).
func (r *Rules) Scopes() []string {
	if r != nil && slices.ContainsFunc(r.rules, func(rule Rule) bool { return len(rule.Emails)+len(rule.Domains) > 0 }) {
		return []string{"email"}
	}
	return nil
}

// Paths are the claims that the rules look at.
func (r *Rules) Paths() []string {
	var paths []string
	if r == nil {
		return nil
	}
	for i := range r.rules {
		rule := &r.rules[i]
		if len(rule.Emails)+len(rule.Domains) > 0 {
			paths = append(paths, "email")
		}
		for _, c := range rule.Claims {
			paths = append(paths, c.Path)
		}
	}
	return paths
}

// check reports whether a rule holds, and which claims it lacks.
func (r *Rule) check(o claims.Object, google bool) (missing []string, holds bool) {
	holds = true
	judge := func(path string, lists bool, ok func() bool) {
		switch {
		case !lists || ok():
		case !o.Has(path):
			missing, holds = append(missing, path), false
		default:
			holds = false
		}
	}
	var address, domain string
	if len(r.Emails)+len(r.Domains) > 0 {
		address, domain = fold(o.Text("email"))
	}
	judge("email", len(r.Emails) > 0, func() bool { return domain != "" && slices.Contains(r.Emails, address) })
	if google {
		// A consumer account can have an address of the company, also that of one who has left
		// it (developers.google.com/identity/openid-connect: hd).
		judge("hd", len(r.Domains) > 0, func() bool { return slices.Contains(r.Domains, strings.ToLower(o.Text("hd"))) })
	} else {
		judge("email", len(r.Domains) > 0, func() bool { return domain != "" && slices.Contains(r.Domains, domain) })
	}
	for _, c := range r.Claims {
		judge(c.Path, true, func() bool {
			return slices.ContainsFunc(o.Values(c.Path), func(value string) bool { return slices.Contains(c.Values, value) })
		})
	}
	return missing, holds
}

// hasOverage reports that Entra ID names a place for the groups, and not these
// (learn.microsoft.com/entra/identity-platform: groups overage claim).
func hasOverage(o claims.Object) bool {
	var c struct {
		Names     map[string]string `json:"_claim_names"`
		HasGroups any               `json:"hasgroups"` // of Entra ID's implicit flow
	}
	_ = json.Unmarshal(o, &c)
	return c.Names["groups"] != "" || c.HasGroups == true || c.HasGroups == "true"
}

// fold is an address with its domain in lower case, and that domain. It is "" for what is not
// exactly one name and one domain in printable ASCII: "attacker@evil.com@company.com" has
// been read as one of company.com (CVE-2026-40574), and a quoted name may hold an @.
func fold(address string) (folded, domain string) {
	name, domain, ok := strings.Cut(address, "@")
	if !ok || name == "" || !isDomain(domain) || strings.ContainsFunc(name, func(c rune) bool { return c <= ' ' || c >= 0x7f || strings.ContainsRune(`"(),:;<>[\]`, c) }) {
		return "", ""
	}
	domain = strings.ToLower(domain)
	return name + "@" + domain, domain
}

// isDomain reports a name of at least two labels of letters, digits and hyphens (RFC 1123 section 2.1).
func isDomain(s string) bool {
	labels := strings.Split(s, ".")
	return len(s) <= 253 && len(labels) > 1 && !slices.ContainsFunc(labels, func(label string) bool {
		return label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' ||
			strings.ContainsFunc(label, func(c rune) bool {
				return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-'
			})
	})
}

// AccessDenied is the error at the redeeming of a code for a user who may not come in. SDKs
// stop at it (RFC 6749 section 4.1.2.1).
func AccessDenied(err error) *oauth.Error { return refuse(oauth.AccessDenied, err) }

// EndedLogin is the error at a refresh for a user who may not come in any more: clients drop
// their tokens and log in once more.
func EndedLogin(err error) *oauth.Error { return refuse(oauth.InvalidGrant, err) }

func refuse(code oauth.Code, err error) *oauth.Error {
	return oauth.Reject(code, "", "this user may not come in: "+err.Error()+"; ask whoever runs this gateway, whose users block decides")
}
