package idp

import (
	"bytes"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// standardizeTokenResponse turns what some IdPs send at the token endpoint into
// what RFC 6749 section 5 asks for, before [Policy.checkTokenResponse]: a form
// becomes JSON, and an error with status 200 one with status 400 (GitHub sends
// both). Anything else stays as it is.
func standardizeTokenResponse(r *Response) {
	if r.Status != http.StatusOK || isCompressed(*r) {
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

// checkCredentials tells a rejection of the gateway's own credentials from one of
// the client's. The client can do nothing about it, and what the IdP says of the
// gateway's registration is the operator's business.
func (r *tokenRequest) checkCredentials(response Response) error {
	if r.Credentials == nil || response.Status < 400 || response.Status >= 500 {
		return nil
	}
	var object struct {
		Error oauth.Code `json:"error"`
	}
	if json.Unmarshal(response.Body, &object) != nil || object.Error != oauth.InvalidClient {
		return nil
	}
	return oauth.BadGateway("the identity provider does not accept the gateway's own credentials (invalid_client): " +
		"check the secret or key of idp_client, whether it has expired, and how it is sent")
}

// wantsOrigin reports whether a token request has to carry the Origin of the page that
// made it: at Entra ID, which redeems the codes of an app that is registered there
// as a single-page application for cross-origin requests only (AADSTS9002327), and
// those of others only without (AADSTS9002326). With a callback the gateway is the
// client, and no page. The caller makes sure that the origin is the client's.
func (p *Policy) wantsOrigin(r *tokenRequest) bool {
	if p.callback != nil || r.Credentials != nil || r.Basic || r.ClientSecret != "" || r.Assertion != "" {
		return false
	}
	return isEntra(p.endpoints[Token].url)
}

// isEntra reports Microsoft's login hosts: of the clouds
// (https://learn.microsoft.com/en-us/entra/identity-platform/authentication-national-cloud)
// and of customers' tenants.
func isEntra(u *url.URL) bool {
	switch host := u.Hostname(); host {
	case "login.microsoftonline.com", "login.microsoftonline.us", "login.partner.microsoftonline.cn":
		return true
	default:
		return strings.HasSuffix(host, ".ciamlogin.com") || strings.HasSuffix(host, ".b2clogin.com")
	}
}
