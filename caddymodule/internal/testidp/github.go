package testidp

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"slices"
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
	case strings.HasSuffix(r.URL.Path, "/orgs"), strings.HasSuffix(r.URL.Path, "/teams"):
		p.gitHubMemberships(w, r, token)
	default:
		writeJSON(w, http.StatusOK, map[string]any{"login": token.User, "id": 583231, "type": "User"})
	}
}

// gitHubMemberships are the organizations and teams of a user, for a token with read:org.
func (p *Provider) gitHubMemberships(w http.ResponseWriter, r *http.Request, token issuedToken) {
	if !slices.Contains(strings.Fields(token.Scope), "read:org") {
		writeJSON(w, http.StatusForbidden, map[string]string{"message": "You need at least read:org scope"})
		return
	}
	list := make([]any, 0)
	kind := path.Base(r.URL.Path)
	names, _ := p.claimsOf(token.login.user, nil)[kind].([]string)
	for _, name := range names {
		org, team, _ := strings.Cut(name, "/")
		if kind == "orgs" {
			list = append(list, map[string]any{"login": org})
			continue
		}
		list = append(list, map[string]any{"slug": team, "organization": map[string]any{"login": org}})
	}
	writeJSON(w, http.StatusOK, list)
}
