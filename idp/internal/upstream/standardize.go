package upstream

import (
	"bytes"
	"mime"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jsonobject"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// StandardizeToken turns what some IdPs send at the token endpoint into
// what RFC 6749 section 5 asks for, before [Upstream.CheckToken]: a form
// becomes JSON, and an error with status 200 one with status 400 (GitHub sends
// both). A time in quotes becomes a number (Entra ID v1), a list of scopes one string (Twitch),
// and a token without a type a bearer token. Anything else stays as it is. It returns what
// [ReadToken] reads then.
func StandardizeToken(r *Response) (TokenResponse, bool) {
	if r.Status == http.StatusOK && !isCompressed(*r) {
		if body, ok := formAsJSON(*r); ok {
			r.Body = body
		}
		if token, ok := ReadToken(r.Body); ok && token.isStandard() {
			return token, true
		}
		r.standardize()
	}
	return ReadToken(r.Body)
}

// isStandard reports whether no member has another type than RFC 6749 section 5.1 gives it.
func (t *TokenResponse) isStandard() bool {
	return t.ExpiresIn.Kind() != '"' && t.RawScope.Kind() != '['
}

func (r *Response) standardize() {
	if body, ok := standardGrant(r.Body); ok {
		r.Body = body
		return
	}
	if !bytes.Contains(r.Body, []byte(`"error"`)) {
		return
	}
	var object map[string]any
	if json.Unmarshal(r.Body, &object) != nil || object["access_token"] != nil {
		return
	}
	code, _ := object["error"].(string)
	if code == "" {
		return
	}
	object["error"] = standardCode(oauth.Code(code))
	if body, err := json.Marshal(object, json.Deterministic(true)); err == nil {
		r.Status, r.Body = http.StatusBadRequest, body
	}
}

// standardGrant is a response with a token whose members have the types of RFC 6749 section
// 5.1. It is false for another one, and for one that has them already.
func standardGrant(body []byte) ([]byte, bool) {
	var grant struct {
		AccessToken string         `json:"access_token"`
		TokenType   jsontext.Value `json:"token_type"`
		ExpiresIn   jsontext.Value `json:"expires_in"`
		Scope       jsontext.Value `json:"scope"`
		Error       jsontext.Value `json:"error"`
	}
	if json.Unmarshal(body, &grant) != nil || grant.AccessToken == "" || grant.Error != nil {
		return nil, false
	}
	var members []jsonobject.Member
	if len(grant.TokenType) == 0 || grant.TokenType.Kind() == 'n' {
		members = append(members, jsonobject.Member{Name: "token_type", Value: "Bearer"})
	}
	var scopes []string
	if grant.Scope.Kind() == '[' && json.Unmarshal(grant.Scope, &scopes) == nil {
		if scope := strings.Join(scopes, " "); params.CheckScope(scope) == nil {
			members = append(members, jsonobject.Member{Name: "scope", Value: scope})
		}
	}
	seconds := strings.Trim(string(grant.ExpiresIn), `"`)
	isQuoted := grant.ExpiresIn.Kind() == '"' && isSeconds(seconds)
	if len(members) == 0 && !isQuoted {
		return nil, false
	}
	body, err := jsonobject.Replace(body, members...)
	if err == nil && isQuoted {
		body, err = jsonobject.Replace(body, jsonobject.Member{Name: "expires_in"})
		body = append(append(append(body[:len(body)-1], `,"expires_in":`...), seconds...), '}')
	}
	return body, err == nil
}

// isSeconds reports a time in seconds as JSON writes numbers.
func isSeconds(s string) bool {
	return s != "" && len(s) < 12 && syntax.Digit.Holds(s) && (s[0] != '0' || s == "0")
}

// standardCode is the code of RFC 6749 section 5.2 for one of GitHub's
// (https://docs.github.com/en/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-oauth-app-access-token-request-errors).
// Clients know only the standard's.
func standardCode(code oauth.Code) oauth.Code {
	switch code {
	case "bad_verification_code", "bad_refresh_token", "redirect_uri_mismatch":
		return oauth.InvalidGrant
	case "incorrect_client_credentials":
		return oauth.InvalidClient
	case "unverified_user_email":
		return oauth.AccessDenied
	}
	return code
}

func formAsJSON(r Response) ([]byte, bool) {
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		return nil, false
	}
	mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || mediaType != "application/x-www-form-urlencoded" {
		return nil, false
	}
	q, err := params.Parse(string(r.Body), "body")
	if err != nil || q.Repeated != "" {
		return nil, false
	}
	object := make(map[string]any, len(q.List))
	for _, p := range q.List {
		object[p.Name] = p.Value
		if (p.Name == "expires_in" || p.Name == "refresh_token_expires_in") && isSeconds(p.Value) {
			object[p.Name] = jsontext.Value(p.Value)
		}
	}
	body, err := json.Marshal(object, json.Deterministic(true))
	return body, err == nil
}
