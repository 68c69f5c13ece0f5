package idp

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pkce"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// authorizeRequest is a checked authorization request (RFC 6749 section 4.1.1).
type authorizeRequest struct {
	clients.Party
	// RedirectURI is the one that the client sent, or else the only one that is
	// registered for it; "" if there is none.
	RedirectURI string
	// Named reports whether the client sent RedirectURI.
	Named        bool
	Challenge    pkce.Challenge
	ResponseMode ResponseMode
	State        string
	// Silent reports prompt=none: the IdP must not show a page.
	Silent bool
	// LeftOut is the name of a parameter that is not sent on, because the client has
	// lists and its registration does not allow it; "" if there is none.
	LeftOut string

	// resource is what the login is for, scope what it asks of it; nil and "" if no
	// resources are configured.
	resource   *clients.Resource
	scope      string
	forwarded  []params.Param
	registered bool
	consents   bool   // the client's users approve each login here
	nonce      string // for the IdP
	openID     bool   // scope has openid
	// ownOpenID: the IdP is asked for openid besides, with the nonce ownNonce; see
	// addOpenID.
	ownOpenID bool
	ownNonce  string
	// idToken is what the gateway's own ID token needs, hint the id_token_hint that it is held to.
	idToken   login.IDToken
	hint      string
	issuer    string // of responses to this request
	idpClient string
	// key is that which the code is bound to, zero for none.
	key dpop.Thumbprint
	// acr and maxAge are what the ID token is held to: see askStepUp. Nil: any age.
	acr    string
	maxAge *time.Duration
	// browser is the cookie of the browser in which the user has approved the request.
	browser string
	// loginID is that of the login which begins.
	loginID login.ID
	// uri is the request_uri that it was pushed as, nil if it was not.
	uri *login.RequestURI
	// pushed is what the IdP has got already, nil if nothing (RFC 9126).
	pushed *upstreamParams
}

// ResponseMode is how the authorization response travels to the client.
type ResponseMode = oauth.ResponseMode

// The response modes. The zero value is the response type's default, query.
const (
	QueryMode      = oauth.QueryMode
	FragmentMode   = oauth.FragmentMode
	FormPostMode   = oauth.FormPostMode
	WebMessageMode = oauth.WebMessageMode
)

// newAuthorizeRequest checks the query of an authorization request of a client, and takes it
// for its own. If it fails, the request is valid only for [authorizeRequest.redirectError].
func (p *Policy) newAuthorizeRequest(y clients.Party, q *params.Values) (r authorizeRequest, err error) {
	if params.SaysWhereErrorsGo(q.Repeated) {
		return r, q.RejectRepeated()
	}

	// The client and its redirect URI come first: only then may errors go there.
	if err := r.checkClient(p, y, q); err != nil {
		return r, err
	}
	c := y.Client
	if err := q.RejectRepeated(); err != nil {
		return r, err
	}
	if err := r.checkAuthorize(p, q, c); err != nil {
		return r, err
	}
	r.chooseForwarded(p, q, c)
	if p.stepUp {
		if err := r.askStepUp(); err != nil {
			return r, err
		}
	}
	scope := q.Get("scope")
	if r.resource != nil {
		r.target(q)
		scope = r.resource.AtIdP(r.scope, p.idp.Scopes())
	}
	r.addOpenID(p, scope)
	return r, nil
}

// chooseForwarded chooses what is sent on of a request. redirect_uri, state and response_mode are
// added for the IdP: see upstream.
func (r *authorizeRequest) chooseForwarded(p *Policy, q *params.Values, c *clients.Client) {
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
	if p.registry.DefaultAudience != "" && q.Get("audience") == "" {
		r.forwarded = append(r.forwarded, params.Param{Name: "audience", Value: p.registry.DefaultAudience})
	}
	for _, param := range p.fixed {
		if r.fixes(p, param.Name) {
			r.forwarded = append(r.forwarded, param)
		}
	}
}

// fixes reports whether the configuration decides a parameter. A silent login stays one:
// nobody would see the page that another prompt asks for.
func (r *authorizeRequest) fixes(p *Policy, name string) bool {
	return slices.ContainsFunc(p.fixed, func(fixed params.Param) bool { return fixed.Name == name }) && !(r.Silent && name == "prompt")
}

// compileFixed reads [Config.AuthorizeParameters].
func (p *Policy) compileFixed(c Config) error {
	parameters := c.AuthorizeParameters
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		switch name {
		case "client_id", "response_type", "code_challenge", "code_challenge_method", "nonce":
			return fmt.Errorf("authorize_parameter %s is one that the gateway makes itself, for each login", name)
		case "scope", "resource", "audience":
			return fmt.Errorf("authorize_parameter %s: what clients get is what a resource block, or default_audience, says", name)
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

// checkClient checks client_id, redirect_uri and response_mode.
func (r *authorizeRequest) checkClient(p *Policy, y clients.Party, q *params.Values) error {
	r.Party = y
	if y.ClientID == "" {
		return params.Missing("client_id", "RFC 6749 section 4.1.1")
	}
	if !syntax.VSChar.Holds(y.ClientID) {
		return oauth.Reject(oauth.InvalidRequest, "RFC 6749 appendix A.1", "client_id must be printable ASCII")
	}
	if !p.registry.MayUse(y) {
		return oauth.Reject(oauth.UnauthorizedClient, "RFC 6749 section 2.2", clients.Unregistered)
	}
	r.State = q.Get("state")
	r.openID = params.HasScope(q.Get("scope"), "openid")
	r.issuer = p.responseIssuer(y, r.openID, false)
	r.RedirectURI = q.Get("redirect_uri")
	r.Named = r.RedirectURI != ""
	if err := r.checkRedirectURI(p, y.Client); err != nil {
		return err
	}
	if c := y.Client; c != nil {
		r.idpClient, r.registered, r.consents = y.IDAtIdP(), r.RedirectURI != "", c.Consent
	}
	return r.checkResponseMode(p, ResponseMode(q.Get("response_mode")))
}

// checkRedirectURI holds redirect_uri to the client's, and fills in the only one.
func (r *authorizeRequest) checkRedirectURI(p *Policy, c *clients.Client) error {
	if r.Named {
		if c.AllowsRedirect(r.RedirectURI) {
			return nil
		}
		if err := uris.CheckRedirect(r.RedirectURI); err != nil {
			return oauth.Reject(oauth.InvalidRequest, "RFC 6749 section 3.1.2", "redirect_uri "+err.Error())
		}
	}
	switch {
	case c == nil:
		// The IdP only sees the callback, so nobody else checks this.
		if p.callback != nil && !uris.IsLoopbackRedirect(r.RedirectURI) {
			return oauth.Reject(oauth.InvalidRequest, "RFC 9700 section 2.1",
				"redirect_uri must be registered: only http on 127.0.0.1, [::1] or localhost passes without a client block at the gateway")
		}
	case r.Named:
		description := "redirect_uri is not one that is registered for this client at the gateway; it must be equal character by character"
		if detail := uris.Nearly(c.Redirects, r.RedirectURI); detail != "" {
			description += "; one that is registered differs only " + detail
		}
		return oauth.Reject(oauth.InvalidRequest, "RFC 9700 section 2.1", description)
	case len(c.Redirects) > 1:
		return oauth.Reject(oauth.InvalidRequest, "RFC 6749 section 3.1.2.3", "redirect_uri is missing, and the client has more than one")
	case len(c.Redirects) == 1:
		r.RedirectURI = c.Redirects[0].Exact
	}
	return nil
}

func (r *authorizeRequest) checkResponseMode(p *Policy, mode ResponseMode) error {
	switch mode {
	case "", QueryMode, FragmentMode, FormPostMode, WebMessageMode:
	default:
		return oauth.Reject(oauth.InvalidRequest, "OAuth 2.0 Multiple Response Type Encoding Practices section 2.1",
			"response_mode is unknown; send query, fragment, form_post or web_message")
	}
	r.ResponseMode = mode
	if p.callback != nil && mode != "" && mode != QueryMode && uris.IsPrivateScheme(r.RedirectURI) {
		r.ResponseMode = QueryMode
		return oauth.Reject(oauth.InvalidRequest, "RFC 8252 section 7.1", "response_mode must be query for a redirect URI with a private-use scheme")
	}
	return nil
}

// checkAuthorize checks the remaining parameters. Its errors may be sent to the
// client's redirect URI.
func (r *authorizeRequest) checkAuthorize(p *Policy, q *params.Values, c *clients.Client) error {
	if err := checkUnsupported(q); err != nil {
		return err
	}
	if err := r.parseKey(q, c); err != nil {
		return err
	}
	switch q.Get("response_type") {
	case "code":
	case "":
		return params.Missing("response_type", "RFC 6749 section 4.1.1")
	default:
		return oauth.Reject(oauth.UnsupportedResponseType, "RFC 9700 section 2.1.2",
			"response_type must be code; /authorize issues no tokens")
	}
	challenge, err := pkce.ParseChallenge(q.Get("code_challenge_method"), q.Get("code_challenge"))
	if err != nil {
		return err
	}
	r.Challenge = challenge

	scope := c.ReadScope(q.Get("scope"))
	if err := r.checkContract(p, q); err != nil {
		return err
	}
	if err := params.CheckScope(scope); scope != "" && err != nil {
		return err
	}
	if p.callback != nil && len(r.State) > login.MaxState {
		return oauth.Reject(oauth.InvalidRequest, "RFC 6749 section 4.1.1",
			"state is longer than "+strconv.Itoa(login.MaxState)+" bytes; keep what it stands for in the app and send a reference")
	}
	r.nonce = q.Get("nonce")
	if err := p.checkNonce(r.nonce); err != nil {
		return err
	}
	if err := checkPrompt(q.Get("prompt"), r, c); err != nil {
		return err
	}
	if c == nil {
		return p.registry.AllowsResources(c, q.All("resource"))
	}
	return r.chooseTarget(p, q, c, scope)
}

// chooseTarget checks what the login is for and asks of it.
func (r *authorizeRequest) chooseTarget(p *Policy, q *params.Values, c *clients.Client, scope string) error {
	named, err := p.registry.AllowsTarget(c, q, scope)
	if err != nil {
		return err
	}
	if len(p.registry.Resources) > 0 {
		r.resource = cmp.Or(named, p.registry.DefaultResource(c))
		if c.IsDynamic() {
			scope = r.resource.Known(scope)
		}
		r.scope = cmp.Or(scope, r.resource.DefaultScope)
		err = r.resource.CheckScope(scope)
	}
	if r.openID && c.NoIDTokens && !r.resource.HasOwnTokens() && !p.issues() {
		return c.RejectOpenID()
	}
	return err
}

// target has the request say what it is for and asks for, also where the client left
// that out.
func (r *authorizeRequest) target(q *params.Values) {
	if q.Get("resource") == "" {
		r.forwarded = append(r.forwarded, params.Param{Name: "resource", Value: r.resource.URI})
	}
	if i := slices.IndexFunc(r.forwarded, func(p params.Param) bool { return p.Name == "scope" }); i >= 0 {
		r.forwarded[i].Value = r.scope
	} else {
		r.forwarded = append(r.forwarded, params.Param{Name: "scope", Value: r.scope})
	}
}

// checkUnsupported rejects parameters that would replace or add to what is checked.
func checkUnsupported(q *params.Values) error {
	if q.Flag("request") {
		return oauth.Reject(oauth.RequestNotSupported, "OpenID Connect Core 1.0 section 3.1.2.6",
			"request is not accepted: a request object would replace the parameters that were checked")
	}
	if q.Flag("request_uri") {
		return oauth.Reject(oauth.RequestURINotSupported, "OpenID Connect Core 1.0 section 3.1.2.6",
			"request_uri is not accepted: a request object would replace the parameters that were checked")
	}
	return nil
}

// checkContract requires what the contract does besides RFC 6749.
func (r *authorizeRequest) checkContract(p *Policy, q *params.Values) error {
	switch {
	case p.oauth:
		return nil
	case q.Get("audience") == "" && p.registry.DefaultAudience == "":
		return missingByContract("audience")
	case q.Get("scope") == "":
		return missingByContract("scope")
	case r.ResponseMode == "":
		return missingByContract("response_mode")
	}
	return nil
}

// checkPrompt checks prompt, and what the client may have with it.
func checkPrompt(prompt string, r *authorizeRequest, c *clients.Client) error {
	r.Silent = prompt == "none"
	if r.Silent && c != nil && c.Consent {
		return consentRequired()
	}
	if !r.Silent && slices.Contains(strings.Fields(prompt), "none") {
		return oauth.Reject(oauth.InvalidRequest, "OpenID Connect Core 1.0 section 3.1.2.1",
			"prompt none can't be combined with another value")
	}
	return nil
}

// authorizeURL is the URL at the IdP to which the browser is sent: the checked
// parameters and the harmless others, encoded again. A policy with a callback
// seals the login into it, for which it needs s.
func (r *authorizeRequest) authorizeURL(p *Policy, s sealer) string {
	var buffer [1024]byte
	return string(r.appendAuthorizeQuery(p, p.idp.AppendURL(buffer[:0], Authorize), r.upstream(p, s)))
}

// authorizeQuery is the query of [authorizeRequest.authorizeURL].
func (r *authorizeRequest) authorizeQuery(p *Policy, s sealer) string {
	return string(r.appendAuthorizeQuery(p, []byte(p.idp.At(Authorize).RawQuery), r.upstream(p, s)))
}

// upstreamParams are the parameters of the authorization request that are not
// the client's on the way to the IdP. Those that are "" are left out.
type upstreamParams struct {
	redirectURI, state string
	mode               ResponseMode
	dropPrompt         bool
	// requestURI stands for all of it, if it was pushed. page is then where a
	// browser can make the same request.
	requestURI, page string
}

// upstream is what the IdP gets for a browser's login.
func (r *authorizeRequest) upstream(p *Policy, s sealer) upstreamParams {
	if r.pushed != nil {
		return *r.pushed
	}
	if p.codec == nil { // by no interface, through which r would escape to the heap
		return upstreamParams{redirectURI: r.RedirectURI, state: r.State, mode: r.ResponseMode}
	}
	u := upstreamParams{redirectURI: s.Callback, state: r.sealPending(p, s)}
	if r.ResponseMode != "" || p.idp.ResponseMode() != QueryMode {
		u.mode = p.idp.ResponseMode()
	}
	return u
}

func (r *authorizeRequest) appendAuthorizeQuery(p *Policy, dst []byte, u upstreamParams) []byte {
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
	for _, param := range [...]params.Param{{Name: "nonce", Value: r.ownNonce}, {Name: "redirect_uri", Value: u.redirectURI}, {Name: "state", Value: u.state}, {Name: "response_mode", Value: string(u.mode)}} {
		if param.Value != "" {
			dst = params.Append(dst, param.Name, param.Value)
		}
	}
	return dst
}

// sent is the value of a client's parameter on its way to the IdP, "" if it is left out.
func (r *authorizeRequest) sent(p *Policy, u upstreamParams, param params.Param) string {
	switch {
	case param.Name == "client_id":
		return cmp.Or(r.idpClient, param.Value)
	case u.requestURI != "", // which has the rest
		param.Name == "nonce" && r.ownNonce != "",
		param.Name == "prompt" && u.dropPrompt,
		param.Name == "resource" && r.resource != nil: // see resource.appendIndicator
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

// missingByContract rejects a request without a parameter that only the gateway's
// contract requires.
func missingByContract(name string) *oauth.Error {
	return oauth.Reject(oauth.InvalidRequest, "the gateway's contract",
		"the required parameter "+name+" is missing or empty (or set parameters oauth at the gateway, for standard clients, which do not send it)")
}

// sealer is what it takes to seal and open: the keys, the time, and the
// callback's address as the browser knows it ([Policy.CallbackURL]).
type sealer struct {
	Keys     *seal.Keys
	Now      time.Time
	Callback string
}

// checkCallback refuses a login that would end at the gateway's own callback, where
// only the IdP's responses can go. The error must not be sent there either.
func (s sealer) checkCallback(r *authorizeRequest) error {
	if s.Callback != "" && r.RedirectURI == s.Callback {
		return oauth.Reject(oauth.InvalidRequest, "RFC 6749 section 3.1.2",
			"redirect_uri is the gateway's own callback, which is for the identity provider only; it must be an address of the app")
	}
	return nil
}

// login is the login that an authorization request begins.
func (r *authorizeRequest) login(p *Policy, s sealer) login.Login {
	l := login.Login{
		ClientID: r.Reference, ID: r.loginID, RedirectURI: r.RedirectURI, Named: r.Named, Challenge: r.Challenge,
		Expires: s.Now.Add(p.callback.loginTimeout), Nonce: login.HashNonce(r.nonce), OpenID: r.openID, OwnOpenID: r.ownOpenID,
		Resource: r.resource.KeyOf(), Scope: r.scope, Key: r.key, StepUp: r.stepUp(s.Now),
		IDToken: r.idToken,
	}
	if r.browser != "" {
		l.Browser = login.HashBrowser(r.browser)
	}
	if p.served[BackchannelLogout] {
		l.Began = s.Now
	}
	return l
}

// sealPending is the state that the IdP gets for an authorization request.
func (r *authorizeRequest) sealPending(p *Policy, s sealer) string {
	return p.codec.SealPending(s.Keys, s.Callback, &login.Pending{Login: r.login(p, s), Mode: r.ResponseMode, State: r.State})
}

// consentRequired rejects a request that would need a page, which it forbids.
func consentRequired() *oauth.Error {
	return oauth.Reject(oauth.ConsentRequired, "OpenID Connect Core 1.0 section 3.1.2.6",
		"the user has to consent on the gateway's page; open the request in a browser, without prompt=none")
}
