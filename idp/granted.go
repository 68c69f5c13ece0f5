package idp

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"slices"
	"strings"
	"sync"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jwt"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// checkGranted holds a token that the IdP grants to the lists of its client and its
// resource: what was asked for went through the browser, where it can be altered, and the
// IdP's response did not. An error replaces the response. With a resource, r gets the scope
// that the client is told of.
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
func (p *Policy) checkGranted(r *tokenRequest, token *tokenResponse) error {
	c := r.Client
	if !c.IsBounded() {
		return nil
	}
	claims, err := readAccessToken(token.AccessToken)
	if err != nil {
		return err
	}
	granted := spaced(token.Scope)
	if len(granted) == 0 {
		granted = append(spaced(claims.Scope), spaced(claims.SCP)...)
	}
	if r.resource != nil {
		r.granted = r.asked
		if token.Scope != nil || claims.Scope != nil || claims.SCP != nil {
			r.granted = p.publicScope(r.resource, r.asked, granted)
		}
	}
	if r.resource.DropsIdPTokens() {
		return nil
	}
	if !slices.Contains(c.Parameters, clients.AuthorizationDetails) && (isGranted(token.Details) || isGranted(claims.Details)) {
		return overGranted(r, "authorization_details, which this client may not ask for; if it is to have them, allow parameter authorization_details in its block")
	}
	return p.checkLists(r, c, granted, &claims)
}

// checkLists holds the scopes and audiences that were granted to the lists.
func (p *Policy) checkLists(r *tokenRequest, c *clients.Client, granted []string, claims *accessTokenClaims) error {
	const ask = ", else ask why the identity provider grants it"
	block := "the client's"
	if r.resource != nil {
		block = "the resource's"
	}
	if scopes := r.resource.GrantableScopes(c, p.idpScopes()); len(scopes) > 0 {
		for _, scope := range granted {
			if !p.mayHaveScope(scopes, scope) {
				return overGranted(r, "scope "+shortened(scope)+", which is not registered for this client at the gateway; "+
					"if the client is to have it, add it to scope in "+block+" block"+ask)
			}
		}
	}
	if audiences := r.resource.GrantableAudiences(c); len(audiences) > 0 {
		for _, audience := range claims.Audience {
			if !slices.Contains(audiences, audience) && !p.mayHaveAudience(c, r.ClientID, audience, claims) {
				return overGranted(r, "an access token for the audience "+shortened(audience)+", which is not registered for this client at the gateway; "+
					"if the client is to have it, add it to audience in the client's block"+ask)
			}
		}
	}
	return nil
}

// overGranted withholds a token response. The code is spent. To a refresh it says that
// the user has to log in again, since the lists may have been longer before.
func overGranted(r *tokenRequest, what string) *oauth.Error {
	description := string(oauth.AppendDescription(nil, "the identity provider granted "+what))
	e := oauth.BadGateway(description)
	if r.Grant == refreshGrantType {
		e = oauth.Reject(oauth.InvalidGrant, "", description+"; log in again")
	}
	e.Source = "RFC 6749 section 3.3"
	return e
}

// shortened is a name in a message.
func shortened(name string) string {
	const most = 120 // bytes
	if len(name) > most {
		return name[:most] + "..."
	}
	return name
}

// mayHaveScope reports a scope that a client may be granted, by the name that the IdP
// has for it. GitHub separates several by commas.
func (p *Policy) mayHaveScope(registered []string, granted string) bool {
	return p.mayHaveOneScope(registered, granted) ||
		!slices.ContainsFunc(strings.Split(granted, ","), func(part string) bool { return !p.mayHaveOneScope(registered, part) })
}

func (p *Policy) mayHaveOneScope(registered []string, granted string) bool {
	name := p.scopeName(granted)
	if slices.ContainsFunc(grantedNames().Scopes, func(row grantedName) bool {
		return row.Granted == name && p.rowApplies(row)
	}) {
		return true
	}
	return slices.ContainsFunc(registered, func(registered string) bool { return p.isScope(registered, granted) })
}

// isScope reports whether a granted scope is one that was asked for, by any of the IdP's
// names for it, or is among those that it stands for.
func (p *Policy) isScope(asked, granted string) bool {
	asked, granted = p.scopeName(asked), p.scopeName(granted)
	// https://learn.microsoft.com/en-us/entra/identity-platform/scopes-oidc#the-default-scope
	if resource, all := strings.CutSuffix(asked, ".default"); all && isEntra(p.authURL) && (resource == "" || strings.HasSuffix(resource, "/")) {
		name, ok := strings.CutPrefix(granted, resource)
		return ok && !strings.Contains(name, "/")
	}
	return asked == granted
}

// scopeName is the one name for a scope that an IdP has several names for.
func (p *Policy) scopeName(scope string) string {
	if isEntra(p.authURL) {
		scope = strings.ToLower(scope) // https://github.com/singingwolfboy/flask-dance/pull/155
	}
	for _, row := range grantedNames().Scopes {
		if as, ok := row.asked(scope); ok && p.rowApplies(row) {
			return as
		}
	}
	return scope
}

// mayHaveAudience reports an audience that an access token of a client may have besides
// those that are registered.
func (p *Policy) mayHaveAudience(c *clients.Client, clientID, granted string, token *accessTokenClaims) bool {
	switch {
	case granted == clientID, granted == c.IDAtIdP(clientID):
		return true
	// Who asks for none gets one for the IdP's own user info: Okta's organization, Auth0.
	case granted == token.Issuer, granted == p.endpoints[UserInfo].text,
		granted == strings.TrimSuffix(token.Issuer, "/")+UserInfo.Path():
		return granted != ""
	case isEntra(p.authURL) && slices.Contains(c.Audiences, "api://"+granted): // tokens of version 2 have the bare id
		return true
	}
	return slices.ContainsFunc(grantedNames().Audiences, func(row grantedName) bool { return row.Granted == granted && p.rowApplies(row) })
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

func (p *Policy) rowApplies(row grantedName) bool {
	switch row.At {
	case "entra":
		return isEntra(p.authURL)
	case "keycloak":
		return p.endpoints[Token].url != nil && strings.Contains(p.endpoints[Token].url.Path, "/protocol/openid-connect/")
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

// accessTokenClaims are the claims of an access token that say what it is good for (RFC
// 9068 section 2.2). Entra ID and Okta write scope as scp.
type accessTokenClaims struct {
	Issuer   string   `json:"iss"`
	Subject  string   `json:"sub"`
	Audience jwt.List `json:"aud"`
	Scope    names    `json:"scope"`
	SCP      names    `json:"scp"`

	Details jsontext.Value `json:"authorization_details"`
}

// isGranted reports authorization_details that are not empty.
func isGranted(details jsontext.Value) bool {
	var none []jsontext.Value
	return len(details) > 0 && (json.Unmarshal(details, &none) != nil || len(none) > 0)
}

// readAccessToken reads the claims of an access token that is a JWT, and none of any
// other one. Nobody but the IdP can have made it: it came from there over TLS.
func readAccessToken(token string) (accessTokenClaims, error) {
	var claims accessTokenClaims
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
		e := oauth.BadGateway("the claims of the identity provider's access token can't be read, so that it can't be held to what the client may have")
		e.Source = "RFC 9068 section 2.2"
		return claims, e
	}
	return claims, nil
}

// names is a list of scopes: text with spaces, an array (Okta, Spring), or anything
// else, which counts as none.
type names []string

// UnmarshalJSON implements [json.Unmarshaler].
func (n *names) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*n = names{one}
		return nil
	}
	var several []string
	if json.Unmarshal(b, &several) == nil {
		*n = several
	}
	return nil
}

// spaced are the single names.
func spaced(n names) []string {
	var all []string
	for _, text := range n {
		all = append(all, strings.Fields(text)...)
	}
	return all
}

// publicScope is the part of a scope that was asked for of which the IdP has granted
// everything, in the names that the client knows. Of offline_access the refresh token
// tells: Entra ID does not name it.
func (p *Policy) publicScope(r *clients.Resource, asked string, granted []string) string {
	for _, name := range granted { // GitHub separates several by commas
		granted = append(granted, strings.Split(name, ",")...)
	}
	isMissing := func(name string) bool {
		return !slices.ContainsFunc(granted, func(each string) bool { return p.isScope(name, each) })
	}
	names := slices.DeleteFunc(strings.Fields(asked), func(name string) bool {
		sent := strings.Fields(r.AtIdP(name, p.idpScopes()))
		return len(sent) == 0 || name != "offline_access" && slices.ContainsFunc(sent, isMissing)
	})
	return strings.Join(names, " ")
}
