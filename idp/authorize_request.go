package idp

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pkce"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// authorizeRequest is a checked authorization request (RFC 6749 section 4.1.1).
type authorizeRequest struct {
	clients.Party
	// RedirectURI is the one that the client sent, or else the only one that is
	// registered for it; "" if there is none.
	RedirectURI string
	// Named reports whether the client sent RedirectURI.
	Named     bool
	Challenge pkce.Challenge
	// verifier is the gateway's own, of a client that does without PKCE; "": it is the client's.
	verifier     pkce.Verifier
	ResponseMode oauth.ResponseMode
	State        string
	// PromptNone: the IdP must not show a page.
	PromptNone bool
	// LeftOut is the name of a parameter that is not sent on, because the client has
	// lists and its registration does not allow it; "" if there is none.
	LeftOut string

	// resource is what the login is for, scope what it asks of it; nil and "" if no
	// resources are configured.
	resource   *clients.Resource
	scope      string
	forwarded  []params.Param
	registered bool
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
	// atIdP is what the IdP has got already, nil if nothing (RFC 9126).
	atIdP *idpParams
}

// newAuthorizeRequest checks the query of an authorization request of a client, and takes what
// is in it: q is empty after. If it fails, the request is valid only for [authorizeRequest.redirectError].
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
	scope := q.Get("scope")
	if r.resource != nil {
		scope = r.resource.AtIdP(r.scope, p.idp.Scopes())
	}
	r.chooseForwarded(p, q, c)
	if p.stepUp {
		if err := r.askStepUp(); err != nil {
			return r, err
		}
	}
	r.addOpenID(p, scope)
	r.issuer = p.responseIssuer(y, r.openID, false) // once more: addOpenID may have taken openid for nobody's
	return r, nil
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
	if y.Client != nil {
		r.idpClient, r.registered = y.IDAtIdP(), r.RedirectURI != ""
	}
	return r.checkResponseMode(p, oauth.ResponseMode(q.Get("response_mode")))
}

// checkRedirectURI holds redirect_uri to the client's, and fills in the only one.
func (r *authorizeRequest) checkRedirectURI(p *Policy, c *clients.Client) error {
	if r.Named {
		if registered, err := c.CheckRedirect(r.RedirectURI); registered || err != nil {
			return err
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

func (r *authorizeRequest) checkResponseMode(p *Policy, mode oauth.ResponseMode) error {
	switch mode {
	case "", oauth.QueryMode, oauth.FragmentMode, oauth.FormPostMode, oauth.WebMessageMode:
	default:
		return oauth.Reject(oauth.InvalidRequest, "OAuth 2.0 Multiple Response Type Encoding Practices section 2.1",
			"response_mode is unknown; send query, fragment, form_post or web_message")
	}
	r.ResponseMode = mode
	if p.callback != nil && mode != "" && mode != oauth.QueryMode && uris.IsPrivateScheme(r.RedirectURI) {
		r.ResponseMode = oauth.QueryMode
		return oauth.Reject(oauth.InvalidRequest, "RFC 8252 section 7.1", "response_mode must be query for a redirect URI with a private-use scheme")
	}
	return nil
}

// responseIssuer is iss in an authorization response, "" for none; fromIdP reports that
// the IdP's response had one. It is never the IdP's value itself, which anybody can
// write who brings a response. Clients compare it with the issuer whose metadata they
// use (RFC 9207 section 2.4), so that it must be the one of the document that is for
// them: the IdP's with the scope openid, as in their ID tokens, else the gateway's.
// Without a public URL it is the IdP's.
func (p *Policy) responseIssuer(y clients.Party, openID, fromIdP bool) string {
	switch {
	case p.callback == nil:
		return "" // the IdP responds
	case p.public.url == "":
		if fromIdP || p.idp.RequiresIssuer() {
			return p.idp.Issuer()
		}
		return ""
	}
	if !openID || y.Client.IsDynamic() || p.issues {
		return p.public.url
	}
	return p.idp.Issuer()
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
	if err := r.takeChallenge(p, q, c); err != nil {
		return err
	}

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
	if err := r.checkNonce(p); err != nil {
		return err
	}
	if err := r.takePrompt(q.Get("prompt")); err != nil {
		return err
	}
	if c == nil {
		return p.registry.AllowsResources(c, q.All("resource"))
	}
	return r.chooseTarget(p, q, c, scope)
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

// parseKey reads dpop_jkt (RFC 9449 section 10).
func (r *authorizeRequest) parseKey(q *params.Values, c *clients.Client) error {
	if !q.Flag("dpop_jkt") {
		return nil
	}
	if !c.TakesProofs() {
		return bearer.Unsupported("leave out dpop_jkt")
	}
	var ok bool
	if r.key, ok = dpop.ParseThumbprint(q.Get("dpop_jkt")); !ok {
		return oauth.Reject(oauth.InvalidRequest, "RFC 9449 section 10", "dpop_jkt must be the SHA-256 thumbprint of a key (RFC 7638), 43 characters of base64url")
	}
	return nil
}

// takeChallenge reads the client's challenge, or makes the gateway's own for one that may do without
// (RFC 9700 section 2.1.1): the nonce then tells the client whether a code is of its login. It comes
// back in an ID token of the gateway's own, in each response to a code.
func (r *authorizeRequest) takeChallenge(p *Policy, q *params.Values, c *clients.Client) (err error) {
	method, challenge := q.Get("code_challenge_method"), q.Get("code_challenge")
	if method != "" || challenge != "" || !c.DoesWithoutPKCE() {
		r.Challenge, err = pkce.ParseChallenge(method, challenge)
		return err
	}
	if !r.openID || q.Get("nonce") == "" || p.idp.IsKnown() && !p.issues {
		return oauth.Reject(oauth.InvalidRequest, "RFC 9700 section 2.1.1",
			"without PKCE the scope openid and a nonce are required, which the client compares with that of the ID token; send both, or a code_challenge")
	}
	r.verifier = pkce.NewVerifier()
	r.Challenge = r.verifier.S256()
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

// missingByContract rejects a request without a parameter that only the gateway's
// contract requires.
func missingByContract(name string) *oauth.Error {
	return oauth.Reject(oauth.InvalidRequest, "the gateway's contract",
		"the required parameter "+name+" is missing or empty (or set parameters oauth at the gateway, for standard clients, which do not send it)")
}

// checkNonce holds the client's nonce to what this gateway takes; none begins like one of its own.
func (r *authorizeRequest) checkNonce(p *Policy) error {
	switch nonce := r.nonce; {
	case nonce == "" && p.idp.Nonce() == NonceRequired:
		return params.Missing("nonce", "OpenID Connect Core 1.0 section 3.1.2.1; this gateway has parameters nonce")
	case p.signs && len(nonce) > login.MaxNonce:
		return oauth.Reject(oauth.InvalidRequest, "OpenID Connect Core 1.0 section 3.1.2.1",
			"nonce is longer than "+strconv.Itoa(login.MaxNonce)+" bytes; send a random value, or the hash of a longer one")
	case p.callback != nil && strings.HasPrefix(nonce, ownNoncePrefix):
		return oauth.Reject(oauth.InvalidRequest, "OpenID Connect Core 1.0 section 15.5.2",
			"nonce begins with "+ownNoncePrefix+", which only the gateway's own do; send a random one for each login")
	}
	return nil
}

// takePrompt notes prompt=none, and checks what the client may have with that.
func (r *authorizeRequest) takePrompt(prompt string) error {
	r.PromptNone = prompt == "none"
	if r.PromptNone && r.RequiresConsent() {
		return consentRequired()
	}
	if !r.PromptNone && slices.Contains(strings.Fields(prompt), "none") {
		return oauth.Reject(oauth.InvalidRequest, "OpenID Connect Core 1.0 section 3.1.2.1",
			"prompt none can't be combined with another value")
	}
	return nil
}

// consentRequired rejects a request that would need a page, which it forbids.
func consentRequired() *oauth.Error {
	return oauth.Reject(oauth.ConsentRequired, "OpenID Connect Core 1.0 section 3.1.2.6",
		"the user has to consent on the gateway's page; open the request in a browser, without prompt=none")
}

// needsConsent reports whether the user has to approve a request on the gateway's own
// page before the IdP is asked.
func (r *authorizeRequest) needsConsent() bool { return r.RequiresConsent() && r.browser == "" }

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
		r.scope = cmp.Or(scope, r.resource.MayHave(c, r.resource.DefaultScope))
		err = r.resource.CheckScope(scope)
	}
	if r.openID && c.NoIDTokens && !r.resource.HasOwnTokens() && !p.issues {
		return c.RejectOpenID()
	}
	return err
}

// askStepUp reads the acr_values and max_age that go to the IdP, to which the ID token is held:
// see [authorizeRequest.stepUp].
func (r *authorizeRequest) askStepUp() error {
	const source = "OpenID Connect Core 1.0 section 3.1.2.1"
	for _, param := range r.forwarded {
		switch param.Name {
		case "acr_values":
			values := strings.Fields(param.Value)
			if r.acr = strings.Join(values, " "); len(r.acr) > login.MaxAuthentication || !syntax.VSChar.Holds(r.acr) {
				return oauth.Reject(oauth.InvalidRequest, source, "acr_values must be printable ASCII, and at most "+strconv.Itoa(login.MaxAuthentication)+" bytes")
			}
		case "max_age":
			seconds, err := strconv.ParseUint(param.Value, 10, 31)
			if err != nil {
				return oauth.Reject(oauth.InvalidRequest, source, "max_age must be a number of seconds")
			}
			age := time.Duration(seconds) * time.Second
			r.maxAge = &age
		}
	}
	return nil
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
