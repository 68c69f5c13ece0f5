package upstream

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/idp/claims"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// IsGitHub reports whether the users are GitHub's, which is no OpenID Provider.
func (u *Upstream) IsGitHub() bool { return u.authURL.Hostname() == "github.com" }

// GitHubSource is a part of GitHub's API beside user info that says something of the user
// (https://docs.github.com/en/rest: /user/emails, /user/orgs, /user/teams).
type GitHubSource struct {
	// Claim is what it is called here.
	Claim string
	path  string
	read  func(body []byte) (any, error)
}

// GitHubSources: email is the primary address, if GitHub has verified it; orgs are the names of the
// organizations, teams those of teams after their organization's: example/platform.
var GitHubSources = [...]GitHubSource{
	{"email", "/emails", func(body []byte) (any, error) {
		var addresses []struct {
			Email    string `json:"email"`
			Primary  bool   `json:"primary"`
			Verified bool   `json:"verified"`
		}
		err := json.Unmarshal(body, &addresses)
		for _, address := range addresses {
			if address.Primary {
				return map[string]any{"email": address.Email, "email_verified": address.Verified}, err
			}
		}
		return map[string]any{"email_verified": false}, err
	}},
	{"orgs", "/orgs", func(body []byte) (any, error) {
		var orgs []struct {
			Login string `json:"login"`
		}
		err := json.Unmarshal(body, &orgs)
		names := make([]string, 0, len(orgs))
		for _, org := range orgs {
			names = append(names, org.Login)
		}
		return map[string]any{"orgs": names}, err
	}},
	{"teams", "/teams", func(body []byte) (any, error) {
		var teams []struct {
			Slug         string `json:"slug"`
			Organization struct {
				Login string `json:"login"`
			} `json:"organization"`
		}
		err := json.Unmarshal(body, &teams)
		names := make([]string, 0, len(teams))
		for _, team := range teams {
			names = append(names, team.Organization.Login+"/"+team.Slug)
		}
		return map[string]any{"teams": names}, err
	}},
}

// At is the address of a page, from 1, beside that of user info.
func (s *GitHubSource) At(userInfo *url.URL, page int) *url.URL {
	at := *userInfo
	at.Path = strings.TrimSuffix(at.Path, "/") + s.path
	at.RawQuery = "per_page=100&page=" + strconv.Itoa(page)
	return &at
}

// ReadPage is the list of a page, and whether there are more. One that GitHub does not allow, for
// want of a scope, is empty.
func (s *GitHubSource) ReadPage(response Response) (list []jsontext.Value, more bool, err error) {
	switch {
	case isDown(response):
		return nil, false, unsaid(response)
	case response.Status == http.StatusForbidden, response.Status == http.StatusNotFound:
		return nil, false, nil
	case response.Status != http.StatusOK:
		return nil, false, oauth.BadGateway("GitHub does not say what the rules of users look at: " + s.path + " responded with an error")
	}
	if isCompressed(response) || json.Unmarshal(response.Body, &list) != nil {
		return nil, false, s.unreadable()
	}
	// https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api
	return list, strings.Contains(response.Header.Get("Link"), `rel="next"`), nil
}

// Read is what the lists of all pages say.
func (s *GitHubSource) Read(list []jsontext.Value) (claims.Object, error) {
	body, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	said, err := s.read(body)
	if err != nil {
		return nil, s.unreadable()
	}
	object, err := json.Marshal(said, json.Deterministic(true))
	return object, err
}

func (s *GitHubSource) unreadable() error {
	return oauth.BadGateway("GitHub's response at " + s.path + " can't be read")
}
