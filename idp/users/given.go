package users

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/idp/claims"
)

// GivenClaim is a claim that the gateway's own access tokens have.
type GivenClaim struct {
	// The path of the claim at the IdP, which is its name in the token.
	Path string `json:"path"`
	// Of a list, the members that a token may have. A list without these is left out: nobody knows how
	// long it is.
	Values []string `json:"values,omitempty"`
}

// maxGiven bounds what one claim adds to a token, in bytes.
const maxGiven = 512

// reserved are the claims by which the token itself is judged (RFC 7519 section 4.1, RFC 9068
// section 2.2, RFC 7800 section 3.1), whatever the IdP means by them.
var reserved = []string{
	"iss", "sub", "aud", "exp", "nbf", "iat", "jti", "client_id", "azp", "scope", "scp", "cnf", "act", "may_act", "acr", "amr", "auth_time",
	"active", "token_type", "authorization_details", "email_verified", "phone_number_verified", "sid", "nonce", "at_hash", "typ", "token_use",
	"gateway_token", // of the gateway's own JWTs
}

// CheckGiven rejects claims that a token can't have.
func CheckGiven(given []GivenClaim) error {
	for i, c := range given {
		switch {
		case c.Path == "":
			return fmt.Errorf("token_claims needs the names of claims, such as: token_claims email name")
		case slices.Contains(reserved, c.Path):
			return fmt.Errorf("token_claims %s: this claim is the token's own, or comes with another one", c.Path)
		case slices.ContainsFunc(given[:i], func(other GivenClaim) bool { return other.Path == c.Path }):
			return fmt.Errorf("token_claims %s is given twice", c.Path)
		}
	}
	return nil
}

// Pick are those claims of a user that tokens have: strings, numbers and flags, lists with the
// members that may be given, addresses that are verified, with the word for it. It is nil
// if there are none.
func Pick(o claims.Object, given []GivenClaim) claims.Object {
	picked := make(map[string]jsontext.Value)
	for _, c := range given {
		value := o.Find(c.Path)
		switch value.Kind() {
		case '"', '0', 't', 'f':
			if value.Kind() == '0' && !claims.IsNumber(value) || o.Text(c.Path) == "" || len(c.Values) > 0 && !slices.Contains(c.Values, o.Text(c.Path)) {
				continue
			}
		case '[':
			members := slices.DeleteFunc(o.Values(c.Path), func(member string) bool { return !slices.Contains(c.Values, member) })
			if len(members) == 0 {
				continue
			}
			value, _ = json.Marshal(members) // strings
		default:
			continue
		}
		if len(value) > maxGiven {
			continue
		}
		picked[c.Path] = value
		if c.Path == "email" || c.Path == "phone_number" {
			picked[c.Path+"_verified"] = jsontext.Value("true")
		}
	}
	if len(picked) == 0 {
		return nil
	}
	object, _ := json.Marshal(picked, json.Deterministic(true)) // values that were read
	return object
}
