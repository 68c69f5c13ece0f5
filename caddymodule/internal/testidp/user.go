package testidp

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// User is somebody who can log in, with the claims an Auth0 tenant gives
// (https://auth0.com/docs/manage-users/user-accounts/user-profiles/normalized-user-profile-schema).
// Empty ones are left out of tokens and responses.
type User struct {
	// The name the user is chosen by: on the page, in `auto_login` and in `login_hint`.
	Username string `json:"username"`

	// The subject identifier, stable and unique. Default: `auth0|dev-` and the username.
	Subject string `json:"sub,omitempty"`

	// The full name to display. Default: the username.
	Name string `json:"name,omitempty"`

	GivenName  string `json:"given_name,omitempty"`
	FamilyName string `json:"family_name,omitempty"`
	Nickname   string `json:"nickname,omitempty"`

	// The address, given out with the scope `email`.
	Email         string `json:"email,omitempty"`
	EmailVerified bool   `json:"email_verified,omitempty"`

	// URL of a picture.
	Picture string `json:"picture,omitempty"`

	// BCP 47 language tag.
	Locale string `json:"locale,omitempty"`

	// RFC 3339 time, as Auth0 sends it.
	UpdatedAt string `json:"updated_at,omitempty"`
}

func (u User) subject() string {
	if u.Subject != "" {
		return u.Subject
	}
	return "auth0|dev-" + u.Username
}

// DisplayName is what pages call the user.
func (u User) DisplayName() string {
	if u.Name != "" {
		return u.Name
	}
	return u.Username
}

// Initials stand for the picture on the login page: those of the first two
// words, or one letter in scripts that have no capitals to set them apart.
func (u User) Initials() string {
	var initials []rune
	for word := range strings.FieldsSeq(u.DisplayName()) {
		first, _ := utf8.DecodeRuneInString(word)
		if len(initials) == 2 || (len(initials) == 1 && !unicode.IsUpper(first)) {
			break
		}
		initials = append(initials, first)
	}
	return string(initials)
}

// claims are the user's own ones that the scopes ask for (OpenID Connect Core 5.4),
// without the subject.
func (u User) claims(scopes []string) map[string]any {
	claims := make(map[string]any)
	text := func(name, value string) {
		if value != "" {
			claims[name] = value
		}
	}
	if slices.Contains(scopes, scopeProfile) {
		text("name", u.DisplayName())
		text("given_name", u.GivenName)
		text("family_name", u.FamilyName)
		text("nickname", u.Nickname)
		text("picture", u.Picture)
		text("locale", u.Locale)
		text("updated_at", u.UpdatedAt)
	}
	if slices.Contains(scopes, scopeEmail) && u.Email != "" {
		claims["email"] = u.Email
		claims["email_verified"] = u.EmailVerified
	}
	return claims
}

// userByName is the user whom a login names. Where there is no list, anybody is one.
func (p *Provider) userByName(username string) (User, bool) {
	if p.users == nil {
		return User{Username: username, Subject: username, Email: username + "@example.com"}, username != ""
	}
	i := slices.IndexFunc(p.users, func(u User) bool { return u.Username == username })
	if i < 0 {
		return User{}, false
	}
	return p.users[i], true
}

func (p *Provider) userBySubject(subject string) (User, bool) {
	if p.users == nil {
		return p.userByName(subject)
	}
	i := slices.IndexFunc(p.users, func(u User) bool { return u.subject() == subject })
	if i < 0 {
		return User{}, false
	}
	return p.users[i], true
}
