package mcp

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/claims"
	"github.com/identity-gateway/caddy-identity-gateway/idp/users"
)

// Policy is what calls of tools need, by the tool's name or a pattern of names such as
// delete_*, in which * stands for any characters.
type Policy map[string]Rule

// Scopes are all that rules name.
func (p Policy) Scopes() []string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(p)) {
		all = append(all, p[name].Scopes...)
	}
	return all
}

// Rule is what a call needs, all of it.
type Rule struct {
	// The scopes that the access token must have.
	Scopes []string `json:"scopes,omitempty"`
	// Claims by their paths, such as `groups`, and the values of which the user must have one.
	Claims []users.Claim `json:"claims,omitempty"`
}

// Rules are a compiled [Policy].
type Rules struct{ rules []*rule }

type rule struct {
	name, folded string
	pattern      []string // folded, what is between its *
	scopes       []string
	claims       *users.Rules
}

// Compile checks the rules, whose claims are those of an issuer. Errors name the first mistake.
func (p Policy) Compile(issuer string) (*Rules, error) {
	compiled := new(Rules)
	for _, name := range slices.Sorted(maps.Keys(p)) {
		of := p[name]
		if name == "" || len(of.Scopes)+len(of.Claims) == 0 {
			return nil, fmt.Errorf("tool %q needs a name, and a scope or a claim", name)
		}
		conditions, err := users.CompileClaims(of.Claims, issuer)
		if err != nil {
			return nil, fmt.Errorf("tool %s: %w", name, err)
		}
		compiled.rules = append(compiled.rules, &rule{name, fold(name), strings.Split(fold(name), "*"), of.Scopes, conditions})
	}
	return compiled, nil
}

// Need is what the calls of one request need.
type Need struct {
	// Scopes are those of every request, and then those of rules, without repetition, in the
	// order of the calls.
	Scopes []string
	rules  []*rule
}

// Need is what calls need: that of every request, and that of the rules for their tools.
func (r *Rules) Need(always []string, calls []Call) *Need {
	n := &Need{Scopes: slices.Clone(always)}
	for _, call := range calls {
		for _, of := range r.of(call) {
			if slices.Contains(n.rules, of) {
				continue
			}
			n.rules = append(n.rules, of)
			for _, scope := range of.scopes {
				if !slices.Contains(n.Scopes, scope) {
					n.Scopes = append(n.Scopes, scope)
				}
			}
		}
	}
	return n
}

// Check holds a token to what is needed. A claim that does not hold is told first, and is no
// reason to log in again: another token of the user would not have it either.
func (n *Need) Check(scopes []string, of claims.Object) error {
	for _, r := range n.rules {
		if r.claims.Check(of) != nil {
			return bearer.AccessDenied("calls of this tool are for others than this user (claim); the operator of the gateway says for whom")
		}
	}
	if slices.ContainsFunc(n.Scopes, func(scope string) bool { return !slices.Contains(scopes, scope) }) {
		return bearer.InsufficientScopes()
	}
	return nil
}

// Names are those of the rules that decide about a call.
func (r *Rules) Names(call Call) []string {
	names := make([]string, 0, 1)
	for _, of := range r.of(call) {
		names = append(names, of.name)
	}
	return names
}

// of are the rules for a call: the most specific ones of those whose name it has. Of two of which
// each has names that the other has not, both hold.
func (r *Rules) of(call Call) []*rule {
	if call.Method != ToolCall {
		return nil
	}
	name := fold(call.Name)
	var fitting []*rule
	for _, candidate := range r.rules {
		if candidate.fits(name) {
			fitting = append(fitting, candidate)
		}
	}
	return slices.DeleteFunc(slices.Clone(fitting), func(wide *rule) bool {
		return slices.ContainsFunc(fitting, func(narrow *rule) bool {
			return wide.fits(narrow.folded) && !narrow.fits(wide.folded)
		})
	})
}

// fold is a name as the most forgiving server reads it: without case, marks of letters,
// compatibility forms, spaces, and characters that nobody sees. Names that a server could take
// for one have one rule.
func fold(name string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Mn, unicode.Cf, unicode.Cc, unicode.Z) {
			return -1
		}
		return r
	}, norm.NFKD.String(name)))
}

// fits reports whether a folded name is one of the pattern, in time linear in the name for each *.
func (r *rule) fits(name string) bool {
	first, last := r.pattern[0], len(r.pattern)-1
	rest, ok := strings.CutPrefix(name, first)
	if !ok || last == 0 {
		return ok && rest == ""
	}
	for _, part := range r.pattern[1:last] {
		if _, rest, ok = strings.Cut(rest, part); !ok {
			return false
		}
	}
	return strings.HasSuffix(rest, r.pattern[last])
}
