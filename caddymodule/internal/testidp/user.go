package testidp

import (
	"maps"
	"slices"
)

// user is somebody who can log in, with the claims an Auth0 tenant gives
// (https://auth0.com/docs/manage-users/user-accounts/user-profiles/normalized-user-profile-schema).
type user struct {
	// Username is the name the user is chosen by: on the page, in `auto_login` and in `login_hint`.
	Username string         `json:"username"`
	Claims   map[string]any `json:"claims"`
}

// subject is the subject identifier.
func (u user) subject() string { return u.Claims["sub"].(string) }

// claimsFor are the user's own ones that the scopes ask for (OpenID Connect Core 5.4),
// without the subject.
func (u user) claimsFor(scopes []string) map[string]any {
	claims := maps.Clone(u.Claims)
	maps.DeleteFunc(claims, func(name string, _ any) bool {
		switch name {
		case "sub":
			return true
		case "email", "email_verified":
			return !slices.Contains(scopes, "email")
		}
		return !slices.Contains(scopes, "profile")
	})
	return claims
}

// claimsOf are those of a user that the scopes ask for, as they are now.
func (p *Provider) claimsOf(u user, scopes []string) map[string]any {
	claims := u.claimsFor(scopes)
	if p.Claims != nil {
		maps.Copy(claims, p.Claims(u.Username))
	}
	return claims
}

// userByName is the user whom a login names. Where there is no list, anybody is one.
func (p *Provider) userByName(username string) (user, bool) {
	if p.users == nil {
		return user{username, map[string]any{
			"sub": username, "name": username, "email": username + "@example.com", "email_verified": false,
		}}, username != ""
	}
	i := slices.IndexFunc(p.users, func(u user) bool { return u.Username == username })
	if i < 0 {
		return user{}, false
	}
	return p.users[i], true
}
