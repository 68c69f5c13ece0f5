package claims_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/claims"
)

func object(t *testing.T, members map[string]any) claims.Object {
	t.Helper()
	content, err := json.Marshal(members)
	require.NoError(t, err)
	return content
}

func TestClaimsByTheirPaths(t *testing.T) {
	o := object(t, map[string]any{
		"": "x", "none": nil, "a": map[string]any{"": "y", "b": map[string]any{"c": "z"}}, "list": []any{map[string]any{"a": "b"}}, "number": 1.5, "empty": []string{}, "yes": true,
		"groups": []string{"staff", "a,admin", "b c", "v1.2"}, "forged": []string{"a,admin"}, "one": "x,admin,y", "https://example.com/roles": []string{"dev"}, "cognito:groups": []string{"dev"},
		"name": " admin", "named": []string{"a", " admin", "admin\t", "\u00a0admin", "\ufeffadmin", "admin\u200b", "\x1fadmin", "\u180eadmin", "b c", ""}, "inner": "a b", "sub": "u1",
		"resource_access": map[string]any{"my.app": map[string]any{"roles": []string{"dev", "ops"}}, "my": map[string]any{"other": "o", "app": "shorter"}},
	})
	for path, want := range map[string]string{
		"": "", "none": "", "none.a": "", "a.": "", "a.b.c": "z", "a.b.c.d": "", "list.a": "", "list.0.a": "", "number": "1.5", "number.a": "", "empty": "", "yes": "true",
		"groups": "staff,b c,v1.2", "forged": "", "one": "x,admin,y", "name": "", "named": "a,b c,", "inner": "a b", // no user is an admin by the name of a group
		"groups.staff": "staff", "groups.a,admin": "a,admin", "groups.v1.2": "v1.2", "groups.admin": "", "groups.": "", "forged.admin": "", "one.admin": "",
		"one.x,admin,y": "x,admin,y", "named.admin": "", "name.admin": "", "sub.u1": "u1",
		"https://example.com/roles": "dev", "cognito:groups": "dev", "cognito:groups.dev": "dev",
		"resource_access.my.app.roles": "dev,ops", "resource_access.my.app.roles.ops": "ops", "resource_access.my.other": "o", "resource_access.my.app": "",
	} {
		require.Equal(t, want, o.Text(path), path)
	}
	require.Equal(t, "shorter", object(t, map[string]any{"my": map[string]any{"app": "shorter"}}).Text("my.app"))
	require.Empty(t, claims.Object(nil).Text("sub"))
}

// What is compared with a rule is a whole member, and no part of one.
func TestValuesOfClaims(t *testing.T) {
	o := object(t, map[string]any{
		"groups": []string{"staff", "a,admin", " admin", ""}, "role": "admin", "yes": true, "number": 7, "mixed": []any{"admin", 1}, "object": map[string]string{"admin": "admin"}, "null": nil, "padded": "admin ", "empty": []string{},
	})
	for path, want := range map[string][]string{
		"groups": {"staff", "a,admin"}, "role": {"admin"}, "yes": {"true"}, "number": {"7"},
		"mixed": nil, "object": nil, "null": nil, "padded": {}, "empty": {}, "groups.staff": nil, "none": nil, "": nil,
	} {
		require.ElementsMatch(t, want, o.Values(path), path)
	}
	for path, want := range map[string]bool{"groups": true, "empty": true, "object.admin": true, "object": true, "groups.staff": false, "none": false, "": false} {
		require.Equal(t, want, o.Has(path), path)
	}
}

func TestNumbers(t *testing.T) {
	for value, want := range map[string]bool{"7": true, "-1.5e3": true, "1e400": false, `"7"`: false, "": false, "true": false} {
		require.Equal(t, want, claims.IsNumber([]byte(value)), value)
	}
	require.Empty(t, claims.Object(`{"a" 1}`).Text("a")+claims.Object(`{"b":1,"a":}`).Text("a")+claims.Object(`{"a":["b`).Text("a"), "no JSON has no claims")
}

// What is no plain list of strings is no value: as JSON, a group's name could be read as
// several by whoever splits it at its commas.
func TestWhatIsNoListOfStringsHasNoValue(t *testing.T) {
	for name, value := range map[string]any{
		"a number": []any{"x,admin,y", 1}, "numbers": []int{1, 2}, "an object": []any{"x,admin,y", map[string]string{"a": "b"}}, "a list": []any{"x,admin,y", []string{"admin"}},
		"null": []any{"x,admin,y", nil}, "true": []any{"x,admin,y", true}, "an object instead": map[string]string{"name": "x,admin,y"},
	} {
		o := object(t, map[string]any{"groups": value, "realm": map[string]any{"roles": value}})
		for _, path := range []string{"groups", "groups.admin", "groups.x,admin,y", "realm", "realm.roles", "realm.roles.admin"} {
			require.Empty(t, o.Text(path), "%s: %s", name, path)
			require.Empty(t, o.Values(path), "%s: %s", name, path)
		}
	}
}

// OpenID Connect Core 1.0 section 5.1: an address is the user's if the issuer has made sure.
func TestAnAddressIsAValueIfItIsVerified(t *testing.T) {
	for _, claim := range []string{"email", "phone_number"} {
		for name, test := range map[string]struct {
			verified any
			want     string
		}{
			"verified": {true, "victim"}, "verified, as Cognito says it": {"true", "victim"}, "not verified": {false, ""}, "not verified, as a string": {"false", ""},
			"not said": {nil, ""}, "null": {json.RawMessage("null"), ""}, "a number": {1, ""}, "in another case": {"True", ""}, "a list": {[]bool{true}, ""}, "an object": {map[string]bool{"a": true}, ""},
		} {
			o := object(t, map[string]any{claim: "victim", claim + "_verified": test.verified, "user": map[string]any{claim: "victim", claim + "_verified": test.verified}})
			for _, path := range []string{claim, claim + ".victim", "user." + claim} {
				require.Equal(t, test.want, o.Text(path), "%s: %s", name, path)
			}
			require.Equal(t, test.want != "", o.Has(claim), name)
			require.Equal(t, test.want != "", len(o.Values(claim)) == 1, name)
		}
	}
}

// An address is verified by the source that names it, and by no other.
func TestWhatTwoSourcesSay(t *testing.T) {
	for name, test := range map[string]struct {
		first, second map[string]any
		email         string
	}{
		"both":                            {map[string]any{"email": "a", "email_verified": true}, map[string]any{"email": "b", "email_verified": true}, "b"},
		"the first alone":                 {map[string]any{"email": "a", "email_verified": true}, map[string]any{"groups": []string{"x"}}, "a"},
		"the second alone":                {map[string]any{}, map[string]any{"email": "b", "email_verified": true}, "b"},
		"the first's word for the other":  {map[string]any{"email": "a", "email_verified": true}, map[string]any{"email": "b"}, ""},
		"the second's word for the first": {map[string]any{"email": "a"}, map[string]any{"email_verified": true}, ""},
		"the second takes it back":        {map[string]any{"email": "a", "email_verified": true}, map[string]any{"email": "a", "email_verified": false}, ""},
	} {
		test.first["sub"], test.first["kept"] = "u1", "yes"
		merged := object(t, test.first).With(object(t, test.second))
		require.Equal(t, []string{test.email, "yes", "u1"}, []string{merged.Text("email"), merged.Text("kept"), merged.Text("sub")}, name)
	}
	o := object(t, map[string]any{"a": "b"})
	require.Equal(t, o, o.With(claims.Object("no object")))
	require.Equal(t, o, claims.Object(nil).With(o))
}
