package testidp

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// gitHubCodes are GitHub's error codes for the standard's.
var gitHubCodes = map[string]string{"invalid_grant": "bad_verification_code", "invalid_client": "incorrect_client_credentials"}

// gitHubTokens sends a response of the token endpoint as GitHub does.
func gitHubTokens(w http.ResponseWriter, r *http.Request, response map[string]any, problem *oauthError) {
	if problem != nil {
		response = map[string]any{"error": cmp.Or(gitHubCodes[problem.Code], problem.Code), "error_description": problem.Description}
	}
	if strings.Contains(r.Header.Get("Accept"), "json") {
		writeJSON(w, http.StatusOK, response)
		return
	}
	form := make(url.Values)
	for name, value := range response {
		form.Set(name, fmt.Sprint(value))
	}
	w.Header().Set("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")
	w.WriteHeader(http.StatusOK)
	_, _ = io.WriteString(w, form.Encode())
}

// gitHubUser is GitHub's user info.
func (p *Provider) gitHubUser(w http.ResponseWriter, r *http.Request) {
	accessToken, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	token, ok := p.store.active(accessToken)
	switch {
	case r.UserAgent() == "":
		http.Error(w, "Request forbidden by administrative rules. Please make sure your request has a User-Agent header", http.StatusForbidden)
	case !ok:
		writeJSON(w, http.StatusUnauthorized, map[string]string{"message": "Bad credentials"})
	default:
		writeJSON(w, http.StatusOK, map[string]any{"login": token.User, "id": 583231, "type": "User"})
	}
}
