package users_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/claims"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/vendors"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/users"
)

type m = map[string]any

func object(t *testing.T, members m) claims.Object {
	t.Helper()
	return must.Have(json.Marshal(members))(t)
}

func compile(t *testing.T, issuer string, rules ...users.Rule) *users.Rules {
	t.Helper()
	return must.Have(users.Compile(rules, issuer))(t)
}

const idp = "https://idp.example"

// verified is an address that the identity provider answers for.
func verified(address string) m { return m{"sub": "u1", "email": address, "email_verified": true} }

// Lines of a block AND, values of a line OR, blocks OR, as in Caddy's matchers.
func TestWhoMayComeIn(t *testing.T) {
	byEmail := users.Rule{Emails: []string{"ada@example.org", "Grace@Example.ORG"}}
	byDomain := users.Rule{Domains: []string{"example.com", "Sub.Example.com"}}
	byGroup := users.Rule{Claims: []users.Claim{{Path: "groups", Values: []string{"engineering", "platform"}}}}
	both := users.Rule{Domains: byDomain.Domains, Claims: append(byGroup.Claims, users.Claim{Path: "realm_access.roles", Values: []string{"ops"}})}
	for name, test := range map[string]struct {
		issuer string
		rules  []users.Rule
		user   m
		want   bool
	}{
		"the address":                        {idp, []users.Rule{byEmail}, verified("ada@example.org"), true},
		"the second address":                 {idp, []users.Rule{byEmail}, verified("Grace@example.org"), true},
		"its domain in another case":         {idp, []users.Rule{byEmail}, verified("ada@EXAMPLE.org"), true},
		"its name in another case":           {idp, []users.Rule{byEmail}, verified("Ada@example.org"), false},
		"verified, as Apple says it":         {idp, []users.Rule{byEmail}, m{"email": "ada@example.org", "email_verified": "true"}, true},
		"not verified":                       {idp, []users.Rule{byEmail}, m{"email": "ada@example.org", "email_verified": false}, false},
		"verified, as 1":                     {idp, []users.Rule{byEmail}, m{"email": "ada@example.org", "email_verified": 1}, false},
		"verified, as True":                  {idp, []users.Rule{byEmail}, m{"email": "ada@example.org", "email_verified": "True"}, false},
		"not said whether":                   {idp, []users.Rule{byEmail}, m{"email": "ada@example.org"}, false},
		"a list of addresses":                {idp, []users.Rule{byEmail}, m{"email": []string{"eve@example.net", "ada@example.org"}, "email_verified": true}, false},
		"a list with commas":                 {idp, []users.Rule{byEmail}, verified("eve@example.net,ada@example.org"), false},
		"white space around":                 {idp, []users.Rule{byEmail}, verified(" ada@example.org"), false},
		"a look-alike":                       {idp, []users.Rule{byEmail}, verified("\u0430da@example.org"), false},
		"the domain":                         {idp, []users.Rule{byDomain}, verified("eve@example.com"), true},
		"the domain in another case":         {idp, []users.Rule{byDomain}, verified("eve@Sub.eXample.com"), true},
		"a domain below it":                  {idp, []users.Rule{byDomain}, verified("eve@other.example.com"), false},
		"one that ends like it":              {idp, []users.Rule{byDomain}, verified("eve@evilexample.com"), false},
		"one that begins like it":            {idp, []users.Rule{byDomain}, verified("eve@example.com.evil"), false},
		"two @ (CVE-2026-40574)":             {idp, []users.Rule{byDomain}, verified("eve@evil.example@example.com"), false},
		"a quoted name":                      {idp, []users.Rule{byDomain}, verified("\"eve@evil\"@example.com"), false},
		"a comment":                          {idp, []users.Rule{byDomain}, verified("eve(@evil)@example.com"), false},
		"a dot at the end":                   {idp, []users.Rule{byDomain}, verified("eve@example.com."), false},
		"a look-alike domain":                {idp, []users.Rule{byDomain}, verified("eve@ex\u0430mple.com"), false},
		"a full-width dot":                   {idp, []users.Rule{byDomain}, verified("eve@example\uff0ecom"), false},
		"a Kelvin sign, which folds to k":    {idp, []users.Rule{{Domains: []string{"k.example"}}}, verified("eve@\u212a.example"), false},
		"a NUL":                              {idp, []users.Rule{byDomain}, verified("eve@example.com\x00"), false},
		"no name":                            {idp, []users.Rule{byDomain}, verified("@example.com"), false},
		"hd elsewhere is nothing":            {idp, []users.Rule{byDomain}, m{"hd": "example.com"}, false},
		"Google's hd":                        {vendors.Google, []users.Rule{byDomain}, m{"hd": "example.com", "email": "eve@example.com", "email_verified": true}, true},
		"a consumer account of that address": {vendors.Google, []users.Rule{byDomain}, verified("eve@example.com"), false},
		"hd of another company":              {vendors.Google, []users.Rule{byDomain}, m{"hd": "evil.example", "email": "eve@example.com", "email_verified": true}, false},
		"an address at Google":               {vendors.Google, []users.Rule{byEmail}, verified("ada@example.org"), true},
		"one of the groups":                  {idp, []users.Rule{byGroup}, m{"groups": []string{"staff", "platform"}}, true},
		"a group as a string":                {idp, []users.Rule{byGroup}, m{"groups": "platform"}, true},
		"a group in another case":            {idp, []users.Rule{byGroup}, m{"groups": []string{"Platform"}}, false},
		"a group that holds its name":        {idp, []users.Rule{byGroup}, m{"groups": []string{"x,platform"}}, false},
		"a string that holds its name":       {idp, []users.Rule{byGroup}, m{"groups": "x,platform"}, false},
		"a group beside a number":            {idp, []users.Rule{byGroup}, m{"groups": []any{"platform", 1}}, false},
		"groups as an object":                {idp, []users.Rule{byGroup}, m{"groups": m{"platform": true}}, false},
		"no group":                           {idp, []users.Rule{byGroup}, m{"groups": []string{}}, false},
		"no claim":                           {idp, []users.Rule{byGroup}, m{}, false},
		"all lines":                          {idp, []users.Rule{both}, m{"email": "a@example.com", "email_verified": true, "groups": []string{"platform"}, "realm_access": m{"roles": []string{"ops"}}}, true},
		"all lines but one":                  {idp, []users.Rule{both}, m{"email": "a@example.com", "email_verified": true, "groups": []string{"platform"}, "realm_access": m{"roles": []string{"dev"}}}, false},
		"the second block":                   {idp, []users.Rule{both, byEmail}, verified("ada@example.org"), true},
		"half of each block":                 {idp, []users.Rule{both, {Emails: byEmail.Emails, Claims: byGroup.Claims}}, verified("a@example.com"), false},
		"a flag":                             {idp, []users.Rule{{Claims: []users.Claim{{Path: "staff", Values: []string{"true"}}}}}, m{"staff": true}, true},
		"a name with dots and slashes":       {idp, []users.Rule{{Claims: []users.Claim{{Path: "https://example.com/roles", Values: []string{"dev"}}}}}, m{"https://example.com/roles": []string{"dev"}}, true},
		"no rule":                            {idp, nil, m{}, true},
	} {
		t.Run(name, func(t *testing.T) {
			err := compile(t, test.issuer, test.rules...).Check(object(t, test.user))
			if test.want {
				require.NoError(t, err)
				return
			}
			require.Error(t, err)
			denied, ended := users.AccessDenied(err), users.EndedLogin(err)
			require.Equal(t, []any{oauth.AccessDenied, http.StatusBadRequest, oauth.InvalidGrant}, []any{denied.Code, denied.Status, ended.Code})
			for _, value := range []string{"example", "@", "\"", "\\"} {
				require.NotContains(t, denied.Description, value, "a description says nothing of the user, in printable ASCII")
			}
		})
	}
}

// What the ID token leaves open, user info may say: nothing is asked for in vain.
func TestClaimsThatAnotherSourceMayHave(t *testing.T) {
	rules := compile(t, idp, users.Rule{Emails: []string{"ada@example.org"}}, users.Rule{Claims: []users.Claim{{Path: "groups", Values: []string{"a"}}}})
	for name, test := range map[string]struct {
		user m
		want bool
		says string
	}{
		"a rule holds":            {verified("ada@example.org"), true, ""},
		"another one holds":       {m{"groups": []string{"a"}}, true, ""},
		"nothing is said":         {m{"sub": "u"}, false, "email, groups"},
		"one claim is missing":    {m{"groups": []string{"b"}}, false, "email"},
		"the address is unproved": {m{"email": "ada@example.org", "groups": []string{"b"}}, false, "email"},
		"all is said":             {m{"groups": []string{"b"}, "email": "eve@example.org", "email_verified": true}, true, "no rule of users holds"},
		"the groups are too many": {m{"_claim_names": m{"groups": "src1"}, "email": "eve@example.org", "email_verified": true}, true, "too many"},
		"too many, implicit flow": {m{"hasgroups": true}, true, "too many"},
	} {
		o := object(t, test.user)
		require.Equal(t, test.want, users.IsDecided(rules.Check(o)), name)
		if err := rules.Check(o); test.says != "" {
			require.ErrorContains(t, err, test.says, name)
		} else {
			require.NoError(t, err, name)
		}
	}
}

func TestRulesThatAreNone(t *testing.T) {
	for want, rule := range map[string]users.Rule{
		"a block needs email, domain or claim":      {},
		"email ada is not an address":               {Emails: []string{"ada"}},
		"email @example.com is not an address":      {Emails: []string{"@example.com"}},
		"email a@b@example.com is not an address":   {Emails: []string{"a@b@example.com"}},
		"domain @example.com is not a domain":       {Domains: []string{"@example.com"}},
		"domain *.example.com is not a domain":      {Domains: []string{"*.example.com"}},
		"domain münchen.example is not a domain":    {Domains: []string{"münchen.example"}},
		"domain localhost is not a domain":          {Domains: []string{"localhost"}},
		"claim groups needs a name and at least":    {Claims: []users.Claim{{Path: "groups"}}},
		"claim a\"b needs a name":                   {Claims: []users.Claim{{Path: "a\"b", Values: []string{"x"}}}},
		"claim email is judged by email and domain": {Claims: []users.Claim{{Path: "email", Values: []string{"a@example.com"}}}},
	} {
		_, err := users.Compile([]users.Rule{rule}, idp)
		require.ErrorContains(t, err, want)
	}
	for _, rule := range []users.Rule{{Emails: []string{"ada@example.org"}}, {Domains: []string{"example.org"}}} {
		_, err := users.Compile([]users.Rule{rule}, "https://login.microsoftonline.com/0a1b/v2.0")
		require.ErrorContains(t, err, "at Entra ID no address is verified")
	}
}

// A condition without values is none that anybody meets, whatever stands beside it.
func TestConditionsWithoutValues(t *testing.T) {
	groups := users.Claim{Path: "groups", Values: []string{"staff"}}
	for _, issuer := range []string{idp, vendors.Google} {
		for _, path := range []string{"email", "hd", "roles"} {
			for _, values := range [][]string{nil, {}} {
				empty := users.Claim{Path: path, Values: values}
				for _, conditions := range [][]users.Claim{{empty}, {empty, groups}, {groups, empty}} {
					_, err := users.CompileClaims(conditions, issuer)
					require.ErrorContains(t, err, "claim "+path+" needs a name and at least one value", conditions)
				}
			}
		}
	}
}

// Whatever an address looks like, its domain is what stands behind its only @.
func FuzzAddresses(f *testing.F) {
	for _, seed := range []string{"ada@example.com", "a@b@example.com", "\"a@b\"@example.com", "a@example.com ", "a@EXAMPLE.COM", "a@xn--e1a.example", "a@ex\u0430mple.com", "<a@example.com>", "a@[127.0.0.1]"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, address string) {
		rules, err := users.Compile([]users.Rule{{Domains: []string{"example.com"}}}, idp)
		if err != nil {
			t.Fatal(err)
		}
		content, err := json.Marshal(verified(address))
		if err != nil {
			t.Skip("no address")
		}
		name, domain, _ := strings.Cut(address, "@")
		if rules.Check(content) == nil && (!strings.EqualFold(domain, "example.com") || name == "" || strings.Count(address, "@") != 1) {
			t.Fatalf("%q is at example.com", address)
		}
	})
}
