package idp

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/idp/body"
	"github.com/identity-gateway/caddy-identity-gateway/idp/claims"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/vendors"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/users"
)

// issuerAtIdP is the issuer of the IdP: its address, unless the configuration says otherwise.
func (p *Policy) issuerAtIdP(c Config) string { return cmp.Or(c.Issuer, p.idp.AuthURL().String()) }

// compileUsers reads [Config.Users] and [Config.TokenClaims].
func (p *Policy) compileUsers(c Config) (err error) {
	if p.users, err = users.Compile(c.Users, p.issuerAtIdP(c)); err != nil {
		return err
	}
	p.tokenClaims = c.TokenClaims
	switch {
	case p.users != nil && c.Callback == nil:
		return errors.New("users needs callback: without it the identity provider's codes, and with them the tokens, go to the clients as they are")
	case len(c.TokenClaims) > 0 && !slices.ContainsFunc(p.registry.Resources, (*clients.Resource).HasOwnTokens):
		return errors.New("token_claims needs a resource with tokens of the gateway's own: those of the identity provider say what it says")
	}
	return users.CheckGiven(c.TokenClaims)
}

// LetsInAnybody is the IdP if it has accounts for everybody and no rule says who may come in,
// nil otherwise.
func (p *Policy) LetsInAnybody() *url.URL {
	if at := p.idp.AuthURL(); p.users == nil && vendors.IsPublic(at) {
		return at
	}
	return nil
}

// needsUser reports whether the gateway has to know whose a token is.
func (f *tokenFlow) needsUser() bool {
	return f.policy.users != nil || f.request.ownIDToken || f.request.resource.HasOwnTokens()
}

// readsClaims reports whether it matters what the IdP says of the user, beside who it is.
func (f *tokenFlow) readsClaims() bool { return f.policy.users != nil || len(f.policy.tokenClaims) > 0 }

// identifyUser finds whose token response this is, and holds the user to the rules of those who
// may come in. A refresh, which has no login, has to be of the user who has logged in.
func (f *tokenFlow) identifyUser(l *login.Login, refresh *refreshGrant, answer *upstream.TokenAnswer) error {
	if answer.Invalid != nil {
		return answer.Invalid
	}
	user, err := f.findUser(l, refresh, answer)
	switch {
	case err != nil || user == nil:
		return err
	case l == nil && f.request.subject != "" && user.Subject != f.request.subject:
		return oauth.Reject(oauth.InvalidGrant, "OpenID Connect Core 1.0 section 12.2",
			"the identity provider's response is about another user than the one who has logged in; log in again")
	}
	if err := cmp.Or(holdUser(l, user.Subject), f.checkName(user.Subject)); err != nil {
		return err
	}
	known := &f.request.tokenUser
	known.subject, known.claims = user.Subject, users.Pick(claims.Object(user.Claims), f.policy.tokenClaims)
	if len(answer.IDToken.Payload) > 0 {
		known.idTokenClaims = user.Claims
	}
	if l != nil { // a refresh is no new login (OpenID Connect Core 1.0 section 12.2)
		known.by, known.idpSession = login.ReadAuthentication(answer.IDToken.Payload), sessionOf(answer.IDToken.Payload)
	}
	if user.refused == nil {
		return nil
	}
	f.withdraw(answer)
	if l == nil {
		return users.EndedLogin(user.refused)
	}
	return users.AccessDenied(user.refused)
}

// holdUser holds a login to the user whom it is for, if it is for one.
func holdUser(l *login.Login, subject string) error {
	if l == nil || l.IDToken.Hint == (login.SubjectHash{}) || l.IDToken.Hint == login.HashSubject(subject) {
		return nil
	}
	return oauth.Reject(oauth.LoginRequired, "OpenID Connect Core 1.0 section 3.1.2.1",
		"the user who has logged in is not the one of id_token_hint; log in again")
}

// checkName rejects a user whose name at the IdP is one that the gateway has for somebody else, in
// its own tokens: of a machine, or of a user of another issuer.
func (f *tokenFlow) checkName(subject string) error {
	if !f.request.resource.HasOwnTokens() || !gatewaytoken.IsMachine(subject) && !f.policy.grants.Trusted.Owns(subject) {
		return nil
	}
	return oauth.Reject(oauth.AccessDenied, "RFC 9700 section 4.15", "this user's name at the identity provider (sub) is one that the gateway has for machines or users of another issuer")
}

// identified is the user of a token response.
type identified struct {
	upstream.User
	// refused is why no rule lets the user in, nil if one does.
	refused error
}

func (f *tokenFlow) identified(u upstream.User) *identified {
	return &identified{u, f.policy.users.Check(claims.Object(u.Claims))}
}

// findUser is the user of a token response: by its ID token, or else by what the IdP says of
// the access token. What decides who may come in and the ID token leaves open is asked for, too.
// It is nil if a refresh says nothing new.
func (f *tokenFlow) findUser(l *login.Login, refresh *refreshGrant, answer *upstream.TokenAnswer) (*identified, error) {
	p := f.policy
	source := p.idp.UserSource(answer, l)
	var known *identified
	switch source {
	case upstream.Unchanged:
		if !f.readsClaims() {
			return nil, nil
		}
	case upstream.FromIDToken:
		user, err := p.idp.IDTokenUser(answer, f.request.IDAtIdP(), f.gateway.parts.Now())
		if err != nil {
			return nil, err
		}
		if known = f.identified(user); f.saysEnough(known) || p.idp.CheckReachable(UserInfo) != nil {
			return known, nil
		}
	}
	f.keep(refresh, answer)
	info, err := f.askUserInfo(answer.Token.AccessToken)
	switch {
	case err != nil:
		return nil, err
	case known == nil:
		return f.identified(info), nil
	case info.Subject != known.Subject:
		return nil, oauth.BadGateway("the identity provider's user info is about another user than its ID token (OpenID Connect Core 1.0 section 5.3.2)")
	}
	known.Claims = claims.Object(known.Claims).With(info.Claims)
	return f.identified(known.User), nil
}

// saysEnough reports whether the claims of a user are all that the rules and the tokens take.
func (f *tokenFlow) saysEnough(user *identified) bool {
	for _, c := range f.policy.tokenClaims {
		if !claims.Object(user.Claims).Has(c.Path) {
			return false
		}
	}
	return users.IsDecided(user.refused)
}

// askUserInfo asks the IdP whose an access token is.
func (f *tokenFlow) askUserInfo(token string) (upstream.User, error) {
	if err := f.policy.idp.CheckReachable(UserInfo); err != nil {
		return upstream.User{}, err
	}
	response, err := f.askWithToken(*f.policy.idp.At(UserInfo), token)
	if err != nil {
		return upstream.User{}, err
	}
	if err := f.openUserInfo(&response, f.request.IDAtIdP()); err != nil {
		return upstream.User{}, err
	}
	user, err := upstream.UserInfoUser(response)
	if err != nil || !f.readsClaims() {
		return user, err
	}
	return f.askGitHub(user, token)
}

// askWithToken asks the IdP for something of the user. One that can't be reached is one that can be
// asked again.
func (f *tokenFlow) askWithToken(at url.URL, token string) (Response, error) {
	c := f.newCall(UserInfo)
	c.URL = at
	c.Header.Set("Authorization", "Bearer "+token)
	if c.Header.Get("User-Agent") == "" {
		c.Header.Set("User-Agent", "identity-gateway") // GitHub rejects requests without one
	}
	response, _, err := f.send(c)
	switch {
	case err != nil && !errors.Is(err, body.ErrClientGone):
		err = upstream.Unsaid("5")
	case err == nil && f.request.lasting && response.Status == http.StatusUnauthorized:
		err = oauth.Reject(oauth.InvalidGrant, "RFC 6749 section 5.2", "the identity provider's token was revoked there; log in again")
	}
	return response, err
}

// askGitHub adds to a user of GitHub what its API says elsewhere: whatever of it decides who may
// come in, or goes into tokens.
func (f *tokenFlow) askGitHub(user upstream.User, token string) (upstream.User, error) {
	if !f.policy.idp.IsGitHub() {
		return user, nil
	}
	wanted := f.policy.users.Paths()
	for _, c := range f.policy.tokenClaims {
		wanted = append(wanted, c.Path)
	}
	for _, source := range upstream.GitHubSources {
		if !slices.Contains(wanted, source.Claim) {
			continue
		}
		said, err := f.askGitHubFor(&source, token)
		if err != nil {
			return user, err
		}
		user.Claims = claims.Object(user.Claims).With(said)
	}
	return user, nil
}

// askGitHubFor reads a list of GitHub's, page by page.
func (f *tokenFlow) askGitHubFor(source *upstream.GitHubSource, token string) (claims.Object, error) {
	var all []jsontext.Value
	for page := 1; page <= maxGitHubPages; page++ {
		response, err := f.askWithToken(*source.At(f.policy.idp.At(UserInfo), page), token)
		if err != nil {
			return nil, err
		}
		list, more, err := source.ReadPage(response)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
		if !more {
			break
		}
	}
	return source.Read(all)
}
