package upstream

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/endpoint"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jsonobject"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jwt"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/vendors"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// Grantee is whom a token is granted to.
type Grantee struct {
	clients.Party
	// Resource is what the token is for, Asked the scope of it that was asked for; nil and ""
	// if no resources are configured.
	Resource *clients.Resource
	Asked    string
	// Refreshes: it is a refresh, after which the user can log in again.
	Refreshes bool
}

// CheckGranted holds a token that the IdP grants to the lists of its client and its
// resource: what was asked for went through the browser, where it can be altered, and the
// IdP's response did not. An error replaces the response. With a resource, granted is the
// scope that the client is told of.
//
//   - Each scope must be registered for client and resource, in the names that the IdP has for
//     it. The response's member scope says which they are (RFC 6749 section 5.1) or, if
//     it names none, the claims scope (RFC 9068 section 2.2.3) and scp of an access
//     token that is a JWT.
//   - Each audience of an access token that is a JWT must be registered, or be the
//     client itself or the IdP's own, where it says who the user is.
//   - There are no authorization_details (RFC 9396 sections 7 and 9.1), unless the client
//     may ask for them.
//   - Of an access token that nobody can read, only the member scope is known. What a
//     response does not say passes.
//
// IdPs also grant what was asked for in an earlier login, so that the lists count and
// not what this login asked for.
func (u *Upstream) CheckGranted(to *Grantee, token *TokenResponse) (granted string, err error) {
	if !to.Client.IsBounded() {
		return "", nil
	}
	claims, err := ReadAccessToken(token.AccessToken)
	if err != nil {
		return "", err
	}
	scopes := token.Scope.Spaced()
	if len(scopes) == 0 {
		scopes = append(claims.Scope.Spaced(), claims.SCP.Spaced()...)
	}
	if to.Resource != nil {
		granted = to.Asked
		if token.Scope != nil || claims.Scope != nil || claims.SCP != nil {
			granted = u.publicScope(to.Resource, to.Asked, scopes)
		}
	}
	if to.Resource.DropsIdPTokens() {
		return granted, nil
	}
	if !slices.Contains(to.Client.Parameters, clients.AuthorizationDetails) && (isGranted(token.Details) || isGranted(claims.Details)) {
		return "", overGranted(to, "authorization_details, which this client may not ask for; if it is to have them, allow parameter authorization_details in its block")
	}
	return granted, u.checkLists(to, scopes, &claims)
}

func (u *Upstream) checkLists(to *Grantee, granted []string, claims *AccessTokenClaims) error {
	const ask = ", else ask why the identity provider grants it"
	block := "the client's"
	if to.Resource != nil {
		block = "the resource's"
	}
	if scopes := to.Resource.GrantableScopes(to.Client, u.Scopes()); len(scopes) > 0 {
		for _, scope := range granted {
			if !u.mayHaveScope(scopes, scope) {
				return overGranted(to, "scope "+shortened(scope)+", which is not registered for this client at the gateway; "+
					"if the client is to have it, add it to scope in "+block+" block"+ask)
			}
		}
	}
	if audiences := to.Resource.GrantableAudiences(to.Client); len(audiences) > 0 {
		for _, audience := range claims.Audience {
			if !slices.Contains(audiences, audience) && !u.mayHaveAudience(to, audience, claims) {
				return overGranted(to, "an access token for the audience "+shortened(audience)+", which is not registered for this client at the gateway; "+
					"if the client is to have it, add it to audience in the client's block"+ask)
			}
		}
	}
	return nil
}

// overGranted withholds a token response. The code is spent. To a refresh it says that
// the user has to log in again, since the lists may have been longer before.
func overGranted(to *Grantee, what string) *oauth.Error {
	description := string(oauth.AppendDescription(nil, "the identity provider granted "+what))
	e := oauth.BadGateway(description)
	if to.Refreshes {
		e = oauth.Reject(oauth.InvalidGrant, "", description+"; log in again")
	}
	e.Source = "RFC 6749 section 3.3"
	return e
}

func shortened(name string) string {
	const most = 120 // bytes
	if len(name) > most {
		return name[:most] + "..."
	}
	return name
}

// mayHaveScope reports a scope that a client may be granted, by the name that the IdP
// has for it. GitHub separates several by commas.
func (u *Upstream) mayHaveScope(registered []string, granted string) bool {
	return u.mayHaveOneScope(registered, granted) ||
		!slices.ContainsFunc(strings.Split(granted, ","), func(part string) bool { return !u.mayHaveOneScope(registered, part) })
}

func (u *Upstream) mayHaveOneScope(registered []string, granted string) bool {
	name := u.scopeName(granted)
	if slices.ContainsFunc(grantedNames().Scopes, func(row grantedName) bool {
		return row.Granted == name && u.rowApplies(row)
	}) {
		return true
	}
	return slices.ContainsFunc(registered, func(registered string) bool { return u.isScope(registered, granted) })
}

// isScope reports whether a granted scope is one that was asked for, by any of the IdP's
// names for it, or is among those that it stands for.
func (u *Upstream) isScope(asked, granted string) bool {
	asked, granted = u.scopeName(asked), u.scopeName(granted)
	// https://learn.microsoft.com/en-us/entra/identity-platform/scopes-oidc#the-default-scope
	if resource, all := strings.CutSuffix(asked, ".default"); all && vendors.IsEntra(u.authURL) && (resource == "" || strings.HasSuffix(resource, "/")) {
		name, ok := strings.CutPrefix(granted, resource)
		return ok && !strings.Contains(name, "/")
	}
	return asked == granted
}

// scopeName is the one name for a scope that an IdP has several names for.
func (u *Upstream) scopeName(scope string) string {
	if vendors.IsEntra(u.authURL) {
		scope = strings.ToLower(scope) // https://github.com/singingwolfboy/flask-dance/pull/155
	}
	for _, row := range grantedNames().Scopes {
		if as, ok := row.asked(scope); ok && u.rowApplies(row) {
			return as
		}
	}
	return scope
}

// mayHaveAudience reports an audience that an access token of a client may have besides
// those that are registered.
func (u *Upstream) mayHaveAudience(to *Grantee, granted string, token *AccessTokenClaims) bool {
	switch {
	case granted == to.ClientID, granted == to.IDAtIdP():
		return true
	// Who asks for none gets one for the IdP's own user info: Okta's organization, Auth0.
	case granted == token.Issuer, granted == u.endpoints[endpoint.UserInfo].text,
		granted == strings.TrimSuffix(token.Issuer, "/")+endpoint.UserInfo.Path():
		return granted != ""
	case vendors.IsEntra(u.authURL) && slices.Contains(to.Client.Audiences, "api://"+granted): // tokens of version 2 have the bare id
		return true
	}
	return slices.ContainsFunc(grantedNames().Audiences, func(row grantedName) bool { return row.Granted == granted && u.rowApplies(row) })
}

// grantedName is a name that an IdP uses where another one was asked for, or none.
type grantedName struct {
	// At is the kind of IdP, "" for any.
	At string `json:"at"`
	// Granted is the IdP's name, As the one that was asked for; "" if it comes unasked.
	// A * at the end of both stands for the same text.
	Granted string `json:"granted"`
	As      string `json:"as"`
	// Source is where that is documented or was seen.
	Source string `json:"source"`
}

// asked is what was asked for under a name of the IdP, false if the row does not say.
func (n grantedName) asked(name string) (string, bool) {
	prefix, wild := strings.CutSuffix(n.Granted, "*")
	if !wild {
		return n.As, n.As != "" && name == n.Granted
	}
	rest, ok := strings.CutPrefix(name, prefix)
	return strings.TrimSuffix(n.As, "*") + rest, ok && rest != ""
}

func (u *Upstream) rowApplies(row grantedName) bool {
	switch row.At {
	case "entra":
		return vendors.IsEntra(u.authURL)
	case "keycloak":
		return u.endpoints[endpoint.Token].url != nil && strings.Contains(u.endpoints[endpoint.Token].url.Path, "/protocol/openid-connect/")
	}
	return true
}

//go:embed granted_names.json
var grantedNamesJSON []byte

var grantedNames = sync.OnceValue(func() (names struct {
	Scopes    []grantedName `json:"scopes"`
	Audiences []grantedName `json:"audiences"`
},
) {
	if err := json.Unmarshal(grantedNamesJSON, &names); err != nil {
		panic(err) // of this package's own file
	}
	return names
})

// AccessTokenClaims are the claims of an access token that say what it is good for (RFC
// 9068 section 2.2). Entra ID and Okta write scope as scp.
type AccessTokenClaims struct {
	Issuer   string   `json:"iss"`
	Subject  string   `json:"sub"`
	Audience jwt.List `json:"aud"`
	Scope    Names    `json:"scope"`
	SCP      Names    `json:"scp"`

	Details jsontext.Value `json:"authorization_details"`
}

// isGranted reports authorization_details that are not empty.
func isGranted(details jsontext.Value) bool {
	var none []jsontext.Value
	return len(details) > 0 && (json.Unmarshal(details, &none) != nil || len(none) > 0)
}

// ReadAccessToken reads the claims of an access token that is a JWT, and none of any
// other one. Nobody but the IdP can have made it: it came from there over TLS.
func ReadAccessToken(token string) (AccessTokenClaims, error) {
	var claims AccessTokenClaims
	parts := bytes.Split([]byte(token), []byte{'.'})
	if len(parts) != 3 {
		return claims, nil
	}
	header, err := base64.RawURLEncoding.AppendDecode(nil, parts[0])
	if err != nil || jsontext.Value(header).Kind() != '{' {
		return claims, nil
	}
	payload, err := base64.RawURLEncoding.AppendDecode(nil, parts[1])
	if err != nil || json.Unmarshal(payload, &claims) != nil {
		return claims, badGateway("RFC 9068 section 2.2", "the claims of the identity provider's access token can't be read, so that it can't be held to what the client may have")
	}
	return claims, nil
}

// Names is a list of scopes: text with spaces, an array (Okta, Spring), or anything
// else, which counts as none.
type Names []string

// UnmarshalJSON implements [json.Unmarshaler].
func (n *Names) UnmarshalJSON(b []byte) error {
	if one, ok := jsonobject.Text(b); ok || jsontext.Value(b).Kind() == 'n' {
		*n = Names{one}
		return nil
	}
	var several []string
	if json.Unmarshal(b, &several) == nil {
		*n = several
	}
	return nil
}

// Spaced are the single names.
func (n Names) Spaced() []string {
	var all []string
	for _, text := range n {
		all = append(all, strings.Fields(text)...)
	}
	return all
}

// publicScope is the part of a scope that was asked for of which the IdP has granted
// everything, in the names that the client knows. Of offline_access the refresh token
// tells: Entra ID does not name it.
func (u *Upstream) publicScope(r *clients.Resource, asked string, granted []string) string {
	for _, name := range granted { // GitHub separates several by commas
		granted = append(granted, strings.Split(name, ",")...)
	}
	isMissing := func(name string) bool {
		return !slices.ContainsFunc(granted, func(each string) bool { return u.isScope(name, each) })
	}
	names := slices.DeleteFunc(strings.Fields(asked), func(name string) bool {
		sent := strings.Fields(r.AtIdP(name, u.Scopes()))
		return len(sent) == 0 || name != "offline_access" && slices.ContainsFunc(sent, isMissing)
	})
	return strings.Join(names, " ")
}
