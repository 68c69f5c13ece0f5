package idp

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// compileFixed reads [Config.AuthorizeParameters].
func (p *Policy) compileFixed(c Config) error {
	parameters := c.AuthorizeParameters
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		switch name {
		case "client_id", "response_type", "code_challenge", "code_challenge_method", "nonce":
			return fmt.Errorf("authorize_parameter %s is one that the gateway makes itself, for each login", name)
		case "scope", "resource", "audience":
			return fmt.Errorf("authorize_parameter %s: what clients get is what a resource block says, or in JSON default_audience", name)
		}
		value := parameters[name]
		switch {
		case !clients.IsForwarded(name):
			return fmt.Errorf("authorize_parameter %s is one that the gateway makes itself, or never sends on", name)
		case value == "" || !utf8.ValidString(value) || strings.ContainsFunc(value, unicode.IsControl):
			return fmt.Errorf("authorize_parameter %s needs a value without control characters; if it comes from an environment variable, set that", name)
		}
		p.fixed = append(p.fixed, params.Param{Name: name, Value: value})
	}
	return nil
}

// checkPAR checks what [PAROn] needs.
func (p *Policy) checkPAR(c Config) error {
	if c.PAR != PAROn {
		return nil
	}
	if p.registry.TakesAny() {
		return errors.New("endpoint par needs client blocks with an idp_client: only a confidential client can push requests so that nobody else can (RFC 9126 section 2)")
	}
	for _, y := range p.registry.All() {
		if y.Client.Credentials == nil && y.Client.LogsUsersIn() {
			return fmt.Errorf("endpoint par: client %s has no idp_client, with which the gateway would authenticate when it pushes the request (RFC 9126 section 2); add one, or leave endpoint par out", y.ClientID)
		}
	}
	if !c.Discover && !p.idp.Has(PushedRequest) {
		return errors.New("endpoint par needs the address to which requests are pushed: set discover, or endpoint par <path or URL>")
	}
	return nil
}

// chooseForwarded chooses what is sent on of a request, of which it takes the array: q, which has
// been read before, is empty after. redirect_uri, state and response_mode are added for the IdP: see
// [authorizeRequest.idpParams].
func (r *authorizeRequest) chooseForwarded(p *Policy, q *params.Values, c *clients.Client) {
	namesAudience, namesResource := q.Get("audience") != "", q.Get("resource") != ""
	r.forwarded = q.List[:0]
	for _, param := range q.List {
		switch {
		case !clients.IsForwarded(param.Name), r.fixes(p, param.Name):
		case c.Takes(param.Name):
			r.forwarded = append(r.forwarded, param)
		case r.LeftOut == "":
			r.LeftOut = params.PrintableName(param.Name)
		}
	}
	*q = params.Values{}
	if p.registry.DefaultAudience != "" && !namesAudience {
		r.forwarded = append(r.forwarded, params.Param{Name: "audience", Value: p.registry.DefaultAudience})
	}
	for _, param := range p.fixed {
		if r.fixes(p, param.Name) {
			r.forwarded = append(r.forwarded, param)
		}
	}
	if r.resource != nil {
		r.forwardTarget(namesResource)
	}
}

// fixes reports whether the configuration decides a parameter. prompt=none stays:
// nobody would see the page that another prompt asks for.
func (r *authorizeRequest) fixes(p *Policy, name string) bool {
	return slices.ContainsFunc(p.fixed, func(fixed params.Param) bool { return fixed.Name == name }) && !(r.PromptNone && name == "prompt")
}

// forwardTarget has the request say what it is for and asks for, also where the client left
// that out.
func (r *authorizeRequest) forwardTarget(namesResource bool) {
	if !namesResource {
		r.forwarded = append(r.forwarded, params.Param{Name: "resource", Value: r.resource.URI})
	}
	if i := slices.IndexFunc(r.forwarded, func(p params.Param) bool { return p.Name == "scope" }); i >= 0 {
		r.forwarded[i].Value = r.scope
	} else {
		r.forwarded = append(r.forwarded, params.Param{Name: "scope", Value: r.scope})
	}
}

// addOpenID asks an OpenID Provider for an ID token in a login that asks for none,
// because its nonce tells the code of this login from that of any other. The client
// gets nothing of it: see withoutOpenID. Scope is in the IdP's names, which may have
// openid where the client's do not. A login without any scope stays as it is, since
// openid alone would take the place of the IdP's default (RFC 6749 section 3.3), unless
// a resource says what that is.
//
// Where the gateway issues the access token, it has to know the user: see
// [authorizeRequest.getsIDToken].
//
// Where the gateway is the issuer, the client's own login has a nonce of the gateway's, too.
func (r *authorizeRequest) addOpenID(p *Policy, scope string) {
	if p.issues && (r.openID || scope != "" || r.resource != nil) {
		r.nonceForIdP()
		return
	}
	if r.resource.HasOwnTokens() && !r.getsIDToken() {
		r.openID = false
		scope = "" // openid in it is the client's wish, and not known to be the IdP's
	}
	if p.callback == nil || r.openID || scope == "" && r.resource == nil || !p.idp.IsOpenIDProvider() && !params.HasScope(scope, "openid") {
		return
	}
	r.ownOpenID, r.ownNonce = true, ownNoncePrefix+rand.Text()
	r.nonce = r.ownNonce
}

// nonceForIdP has the IdP's ID token carry a nonce of the gateway's own. The client's comes back
// to it in the gateway's: so nobody who knows the nonce of a login can have the IdP's code of it
// used in another one.
func (r *authorizeRequest) nonceForIdP() {
	if r.openID {
		r.idToken.Wanted, r.idToken.Nonce = true, r.nonce
	}
	r.ownOpenID, r.ownNonce = !r.openID, ownNoncePrefix+rand.Text()
	r.nonce = r.ownNonce
}

// ownNoncePrefix begins the gateway's own nonces, and no client's. So whoever has read
// one in the authorization request of a login can't begin another login with it, in
// which the first one's code would do.
const ownNoncePrefix = "identity-gateway."

// getsIDToken reports whether the client of a login with [GatewayTokens] gets the ID token: it
// is the client's own, with the client's nonce. In any other login openid and nonce are the
// gateway's, which has to know whose the login is.
func (r *authorizeRequest) getsIDToken() bool {
	return r.openID && r.nonce != "" && r.idpClient == r.ClientID
}

// pushToIdP sends the request to the IdP over the back channel, if it has to go
// there (RFC 9126). result is for a client that wants the result itself.
func (f *authorizeFlow) pushToIdP(result bool) error {
	if !f.request.pushesToIdP(f.policy) {
		return nil
	}
	if err := f.policy.idp.CheckPush(); err != nil {
		return err
	}
	push, err := f.request.preparePush(f.policy, f.sealing, f.gateway.parts.Now(), f.r.BaseURL, result)
	if err != nil {
		f.note(NotSigned, err)
		return err
	}
	response, _, err := f.send(f.newCall(PushedRequest).WithForm(push.Call))
	if err != nil {
		return err
	}
	return push.take(&f.request, response)
}

// pushesToIdP reports whether a request has to be pushed ([authorizeFlow.pushToIdP]) before it is
// sent on: if the configuration says so, or else the IdP and the gateway is a confidential client
// there.
func (r *authorizeRequest) pushesToIdP(p *Policy) bool {
	return r.Client != nil && r.Client.Credentials != nil && p.idp.Pushes()
}

// idpPush is an authorization request on its way to the IdP over the back channel, where
// nobody can alter it. Send Call, then give the response to [idpPush.take].
type idpPush struct {
	Call upstream.Form

	sent idpParams
}

// preparePush prepares a checked request, whose login it seals, for the IdP's pushed
// authorization request endpoint (RFC 9126 section 2.1). With result, the response is
// for a [silentLogin]. base is the gateway's address as its client knows it.
func (r *authorizeRequest) preparePush(p *Policy, s sealer, now time.Time, base string, result bool) (push idpPush, err error) {
	a, err := p.idp.Authenticate(PushedRequest, &clients.Auth{Party: r.Party, Credentials: r.Client.Credentials}, "", now)
	if err != nil {
		return push, err
	}
	push.sent = r.idpParams(p, s)
	if result {
		push.sent.mode = oauth.QueryMode
	}
	push.Call = a.Form(r.appendAuthorizeQuery(p, nil, push.sent))
	if result {
		push.sent.page = r.ownAuthorizeURL(p, s, base)
	}
	return push, nil
}

// take reads the IdP's response to a push of r. From then on the
// request is sent on as a reference to what was pushed. An error is for the client.
func (push *idpPush) take(r *authorizeRequest, response Response) (err error) {
	if push.sent.requestURI, err = upstream.ReadRequestURI(response); err == nil {
		sent := push.sent
		r.atIdP = &sent
	}
	return err
}

// authorizeURL is the URL at the IdP to which the browser is sent: the checked
// parameters and the harmless others, encoded again. A policy with a callback
// seals the login into it, for which it needs s.
func (r *authorizeRequest) authorizeURL(p *Policy, s sealer) string {
	var buffer [1024]byte
	return string(r.appendAuthorizeQuery(p, p.idp.AppendURL(buffer[:0], Authorize), r.idpParams(p, s)))
}

// authorizeQuery is the query of [authorizeRequest.authorizeURL].
func (r *authorizeRequest) authorizeQuery(p *Policy, s sealer) string {
	return string(r.appendAuthorizeQuery(p, []byte(p.idp.At(Authorize).RawQuery), r.idpParams(p, s)))
}

// idpParams are the parameters of the authorization request that are not
// the client's on the way to the IdP. Those that are "" are left out.
type idpParams struct {
	redirectURI, state string
	mode               oauth.ResponseMode
	dropPrompt         bool
	// requestURI stands for all of it, if it was pushed. page is then where a
	// browser can make the same request.
	requestURI, page string
}

// idpParams is what the IdP gets for a browser's login.
func (r *authorizeRequest) idpParams(p *Policy, s sealer) idpParams {
	if r.atIdP != nil {
		return *r.atIdP
	}
	if p.codec == nil { // by no interface, through which r would escape to the heap
		return idpParams{redirectURI: r.RedirectURI, state: r.State, mode: r.ResponseMode}
	}
	u := idpParams{redirectURI: s.Callback, state: r.sealPending(p, s)}
	if r.ResponseMode != "" || p.idp.ResponseMode() != oauth.QueryMode {
		u.mode = p.idp.ResponseMode()
	}
	return u
}

// sealPending is the state that the IdP gets for an authorization request.
func (r *authorizeRequest) sealPending(p *Policy, s sealer) string {
	return p.codec.SealPending(s.Keys, s.Callback, &login.Pending{Login: r.login(p, s), Mode: r.ResponseMode, State: r.State})
}

// login is the login that an authorization request begins.
func (r *authorizeRequest) login(p *Policy, s sealer) login.Login {
	l := login.Login{
		ClientID: r.Reference, ID: r.loginID, RedirectURI: r.RedirectURI, Named: r.Named, Challenge: r.Challenge, Verifier: r.verifier,
		Expires: s.Now.Add(p.callback.LoginTimeout), Nonce: login.HashNonce(r.nonce), OpenID: r.openID, OwnOpenID: r.ownOpenID,
		Resource: r.resource.KeyOf(), Scope: r.scope, Key: r.key, StepUp: r.stepUp(s.Now),
		IDToken: r.idToken,
	}
	if r.browser != "" {
		l.Browser = login.HashBrowser(r.browser)
	}
	if p.rotation != nil {
		l.Began = s.Now
	}
	return l
}

// stepUp is what a request asks of a login that begins now.
func (r *authorizeRequest) stepUp(now time.Time) login.StepUp {
	s := login.StepUp{ACR: r.acr}
	if r.maxAge != nil {
		s.Since = time.Unix(max(now.Add(-*r.maxAge).Unix(), 1), 0)
	}
	return s
}

func (r *authorizeRequest) appendAuthorizeQuery(p *Policy, dst []byte, u idpParams) []byte {
	for _, param := range r.forwarded {
		if value := r.sent(p, u, param); value != "" {
			dst = params.Append(dst, param.Name, value)
		}
	}
	if u.requestURI != "" {
		return params.Append(dst, "request_uri", u.requestURI)
	}
	if r.resource != nil {
		dst = r.resource.AppendIndicator(dst)
	}
	if r.verifier != "" {
		dst = params.Append(params.Append(dst, "code_challenge", string(r.Challenge)), "code_challenge_method", "S256")
	}
	for _, param := range [...]params.Param{{Name: "nonce", Value: r.ownNonce}, {Name: "redirect_uri", Value: u.redirectURI}, {Name: "state", Value: u.state}, {Name: "response_mode", Value: string(u.mode)}} {
		if param.Value != "" {
			dst = params.Append(dst, param.Name, param.Value)
		}
	}
	return dst
}

// sent is the value of a client's parameter on its way to the IdP, "" if it is left out.
func (r *authorizeRequest) sent(p *Policy, u idpParams, param params.Param) string {
	switch {
	case param.Name == "client_id":
		return cmp.Or(r.idpClient, param.Value)
	case u.requestURI != "", // which has the rest
		param.Name == "nonce" && r.ownNonce != "",
		param.Name == "prompt" && u.dropPrompt,
		param.Name == "resource" && r.resource != nil: // see [clients.Resource.AppendIndicator]
		return ""
	case param.Name != "scope":
		return param.Value
	}
	scope := param.Value
	if r.resource != nil {
		scope = r.resource.AtIdP(r.scope, p.idp.Scopes())
	}
	if r.ownNonce != "" && !params.HasScope(scope, "openid") {
		scope = strings.TrimPrefix(scope+" openid", " ")
	}
	for _, own := range r.ownScopes(p) {
		if !params.HasScope(scope, own) {
			scope += " " + own
		}
	}
	return scope
}

// ownScopes are those that the gateway itself asks an OpenID Provider for, where no client
// sees what was granted.
func (r *authorizeRequest) ownScopes(p *Policy) []string {
	if !r.resource.HasOwnTokens() || !p.idp.IsOpenIDProvider() {
		return nil
	}
	scopes := p.users.Scopes()
	for _, c := range p.tokenClaims {
		switch c.Path {
		case "email":
			scopes = append(scopes, "email")
		case "name", "given_name", "family_name", "nickname", "preferred_username", "picture", "locale", "zoneinfo":
			scopes = append(scopes, "profile")
		}
	}
	return scopes
}

// ownAuthorizeURL is a request as its client could make it in a browser, which may show
// a page.
func (r *authorizeRequest) ownAuthorizeURL(p *Policy, s sealer, base string) string {
	own := *r
	own.idpClient, own.ownOpenID, own.ownNonce, own.resource, own.verifier = "", false, "", nil, ""
	u := idpParams{state: r.State, mode: r.ResponseMode, dropPrompt: r.PromptNone}
	if r.Named {
		u.redirectURI = r.RedirectURI
	}
	query := own.appendAuthorizeQuery(p, nil, u)
	if r.hint != "" {
		query = params.Append(query, "id_token_hint", r.hint)
	}
	if r.key != (dpop.Thumbprint{}) {
		query = params.Append(query, "dpop_jkt", r.key.String())
	}
	return base + Authorize.Path() + "?" + p.ownQuery(s, r.uri.InBrowser(), r.ClientID, string(query))
}

// ownQuery is the query with which a browser makes a request here once more. What was pushed is
// sealed again, so that nobody reads or alters it there, and lives no longer than before; u is
// zero for any other one.
func (p *Policy) ownQuery(s sealer, u login.RequestURI, clientID, query string) string {
	if u.Until.IsZero() {
		return query
	}
	return string(params.Append(params.Append(nil, "client_id", clientID), "request_uri", p.codec.SealRequest(s.Keys, u, query)))
}
