package upstream

import (
	"bytes"
	"mime"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// StandardizeToken turns what some IdPs send at the token endpoint into
// what RFC 6749 section 5 asks for, before [Upstream.CheckToken]: a form
// becomes JSON, and an error with status 200 one with status 400 (GitHub sends
// both). Anything else stays as it is.
func StandardizeToken(r *Response) {
	if r.Status != http.StatusOK || IsCompressed(*r) {
		return
	}
	if body, ok := formAsJSON(*r); ok {
		r.Body = body
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

// formAsJSON is the JSON object of a response that is a form.
func formAsJSON(r Response) ([]byte, bool) {
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
		if (p.Name == "expires_in" || p.Name == "refresh_token_expires_in") && len(p.Value) < 12 && syntax.Digit.Holds(p.Value) {
			object[p.Name] = jsontext.Value(p.Value)
		}
	}
	body, err := json.Marshal(object, json.Deterministic(true))
	return body, err == nil
}
