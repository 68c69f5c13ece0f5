package upstream

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/go-json-experiment/json"

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
// organizations, teams those of teams after their organization's: example/platform. Of each
// the first hundred are known.
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

// At is its address, beside that of user info.
func (s *GitHubSource) At(userInfo *url.URL) *url.URL {
	at := *userInfo
	at.Path = strings.TrimSuffix(at.Path, "/") + s.path
	at.RawQuery = "per_page=100"
	return &at
}

// Read reads its response. One that GitHub does not allow, for want of a scope, says nothing.
func (s *GitHubSource) Read(response Response) (claims.Object, error) {
	switch response.Status {
	case http.StatusOK:
	case http.StatusForbidden, http.StatusNotFound:
		return claims.Object("{}"), nil
	default:
		return nil, oauth.BadGateway("GitHub does not say what the rules of users look at: " + s.path + " responded with an error")
	}
	said, err := s.read(response.Body)
	if err != nil || IsCompressed(response) {
		return nil, oauth.BadGateway("GitHub's response at " + s.path + " can't be read")
	}
	object, err := json.Marshal(said, json.Deterministic(true))
	return object, err
}
