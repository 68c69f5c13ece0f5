package idp

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jwt"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// logout checks a logout request and sends the browser to the IdP, or to the page
// after it.
func (f *flow) logout() (Response, error) {
	_, q, err := params.ReadQueryOrForm(f.r.Request, f.header, "logout", "OpenID Connect RP-Initiated Logout 1.0 section 2")
	if err != nil {
		return Response{}, err
	}
	request, err := f.policy.newLogoutRequest(&q)
	f.result.Decision.ClientID = request.Registered
	if err == nil {
		err = f.takeLogoutHint(&request)
	}
	if err != nil {
		return Response{}, err
	}
	if err := f.policy.idp.CheckReachable(Logout); err != nil {
		return Response{}, err
	}
	if f.policy.idp.Logout() != NoLogout && f.policy.idp.ProxiesTo(Logout) {
		f.forward(Logout, request.logoutQuery(f.policy))
		return Response{}, nil
	}
	if location := request.logoutURL(f.policy); location != "" {
		return f.redirect(location), nil
	}
	return Response(f.policy.pages.LoggedOut(f.r.Header["Accept-Language"])), nil
}

// takeLogoutHint ends the login here that an ID token of the gateway's own is of, also one that
// has expired (OpenID Connect RP-Initiated Logout 1.0 section 2). The IdP, which does not know it,
// gets what it knows: the client, and the session.
func (f *flow) takeLogoutHint(r *logoutRequest) error {
	if r.hint == "" || !f.policy.signs {
		return f.checkHint(r.forwarded)
	}
	known, err := f.openHint(r.hint)
	if err != nil {
		return err
	}
	if issuer, _ := jwt.Issuer(r.hint); known == nil && f.policy.idp.IsIssuer(issuer) { // from before the gateway was the issuer
		return f.checkHint(r.forwarded)
	}
	r.forwarded = slices.DeleteFunc(r.forwarded, func(p params.Param) bool { return p.Name == "id_token_hint" })
	if known == nil || len(known.Audience) != 1 {
		return nil
	}
	client := known.Audience[0]
	switch y := f.policy.registry.Find(client); {
	case r.ClientID == "":
		r.ClientID = y.IDAtIdP()
	case client != cmp.Or(r.Registered, r.ClientID):
		return oauth.Reject(oauth.InvalidRequest, "OpenID Connect RP-Initiated Logout 1.0 section 2", "client_id is not that of the ID token in id_token_hint")
	}
	hint := ""
	switch {
	case f.policy.idp.TakesSessionHint():
		hint = known.Session
	case f.policy.idp.TakesLoginHint():
		hint = known.Hint
	}
	if hint != "" && !slices.ContainsFunc(r.forwarded, func(p params.Param) bool { return p.Name == "logout_hint" }) {
		r.forwarded = append(r.forwarded, params.Param{Name: "logout_hint", Value: hint})
	}
	return f.endLogin(known.Login)
}

// endLogin ends the refresh tokens of a login, by the name that it has in ID tokens; "" if it has
// none that rotate.
func (f *flow) endLogin(name string) error {
	family, err := base64.RawURLEncoding.DecodeString(name)
	if f.gateway.families == nil || err != nil || len(family) != len(rotation.Family{}) {
		return nil
	}
	_, err = f.endFamily(rotation.Family(family))
	return err
}

// logoutRequest is a checked logout request.
type logoutRequest struct {
	// ClientID, the client's id at the IdP, and ReturnTo are "" if the client sent none.
	ClientID, ReturnTo string
	// Registered is the client's id at the gateway, "" if none is registered under it.
	Registered string
	// Federated asks the IdP to also log the user out of the provider behind it.
	Federated bool

	// hint is id_token_hint.
	hint      string
	forwarded []params.Param
	protocol  LogoutProtocol
}

// newLogoutRequest checks the parameters of a logout request.
func (p *Policy) newLogoutRequest(q *params.Values) (logoutRequest, error) {
	r := logoutRequest{protocol: p.idp.Logout()}
	err := q.RejectRepeated()
	if err != nil {
		return r, err
	}
	if r.ClientID, err = q.OneOf("client_id", "clientId"); err != nil {
		return r, err
	}
	if r.ReturnTo, err = q.OneOf("returnTo", "post_logout_redirect_uri"); err != nil {
		return r, err
	}
	r.Federated, r.hint = q.Flag("federated"), q.Get("id_token_hint")

	registered := p.registry.ReturnTo
	if r.ClientID != "" {
		if registered, err = r.logoutClient(p); err != nil {
			return r, err
		}
	} else if r.protocol == CognitoLogout {
		return r, params.Missing("client_id", "the logout endpoint of Amazon Cognito")
	}
	if r.ReturnTo != "" {
		if err := r.checkReturnTo(registered); err != nil {
			return r, err
		}
	}
	r.forwarded = q.List[:0]
	for _, param := range q.List {
		if r.protocol.Forwards(param.Name) {
			r.forwarded = append(r.forwarded, param)
		}
	}
	return r, nil
}

// logoutClient finds the client, and the pages that it may have people return to.
func (r *logoutRequest) logoutClient(p *Policy) ([]string, error) {
	if !syntax.VSChar.Holds(r.ClientID) {
		return nil, oauth.Reject(oauth.InvalidRequest, "RFC 6749 appendix A.1", "client_id must be printable ASCII")
	}
	y := p.registry.Find(r.ClientID)
	if !p.registry.MayUse(y) {
		return nil, oauth.Reject(oauth.UnauthorizedClient, "RFC 6749 section 2.2", clients.Unregistered)
	}
	if y.Client == nil {
		return p.registry.ReturnTo, nil
	}
	r.Registered, r.ClientID = y.ClientID, y.IDAtIdP()
	return y.Client.ReturnTo, nil
}

// checkReturnTo holds the page to return to to the registered ones, if there are some.
func (r *logoutRequest) checkReturnTo(registered []string) error {
	_, err := uris.ParseWeb(r.ReturnTo)
	description := ""
	switch {
	case err != nil:
		description = "returnTo " + err.Error()
	case r.protocol == NoLogout && len(registered) == 0:
		description = "returnTo must be registered as return_to of a client block at the gateway: with endpoint logout none nobody else checks it"
	case len(registered) > 0 && !slices.Contains(registered, r.ReturnTo):
		description = "returnTo is not one that is registered as return_to at the gateway; it must be equal character by character"
	default:
		return nil
	}
	return oauth.Reject(oauth.InvalidRequest, "RFC 9700 section 4.11", description)
}

// logoutURL is the URL to which the browser is sent: at the IdP, or with
// [NoLogout] the page to return to. It is "" if there is none.
func (r *logoutRequest) logoutURL(p *Policy) string {
	var buffer [512]byte
	if p.idp.Logout() != NoLogout {
		location := r.appendQuery(p.idp.AppendURL(buffer[:0], Logout))
		return strings.TrimSuffix(string(location), "?")
	}
	if r.ReturnTo == "" {
		return ""
	}
	location := append(buffer[:0], r.ReturnTo...)
	for _, param := range r.forwarded { // state
		if strings.IndexByte(r.ReturnTo, '?') < 0 {
			location = append(location, '?')
		}
		location = params.Append(location, param.Name, param.Value)
	}
	return string(location)
}

// logoutQuery is the query of [logoutRequest.logoutURL] at the IdP.
func (r *logoutRequest) logoutQuery(p *Policy) string {
	return string(r.appendQuery([]byte(p.idp.At(Logout).RawQuery)))
}

// appendQuery appends the query of [logoutRequest.logoutURL].
func (r *logoutRequest) appendQuery(dst []byte) []byte {
	if r.ClientID != "" {
		dst = params.Append(dst, "client_id", r.ClientID)
	}
	if r.ReturnTo != "" {
		dst = params.Append(dst, r.protocol.ReturnToName(), r.ReturnTo)
	}
	for _, param := range r.forwarded {
		dst = params.Append(dst, param.Name, param.Value)
	}
	if r.Federated && r.protocol != CognitoLogout {
		dst = append(params.AppendSeparator(dst), "federated"...)
	}
	return dst
}
