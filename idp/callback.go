package idp

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/authorization"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/cookie"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/endpoint"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/paths"
)

// CallbackConfig makes the gateway the redirect target of the IdP.
type CallbackConfig struct {
	// Path is where the gateway serves the callback, below [Config.PublicURL] if there is
	// one. Empty: [DefaultCallback].
	Path string
	// LoginTimeout is how long a user may take at the IdP, and before that on the page that
	// asks for consent. Zero: [DefaultLoginTimeout].
	LoginTimeout time.Duration
}

// DefaultCallback is the path of the callback.
const DefaultCallback = paths.Callback

// complete fills in the defaults, and checks the rest.
func (c CallbackConfig) complete() (*CallbackConfig, error) {
	c.Path, c.LoginTimeout = cmp.Or(c.Path, DefaultCallback), cmp.Or(c.LoginTimeout, DefaultLoginTimeout)
	if !paths.IsPlain(c.Path) {
		return nil, fmt.Errorf("callback: the path must be lower-case letters, digits, - and _ between slashes, such as %s", DefaultCallback)
	}
	if endpoint := endpoint.At(c.Path); endpoint != NoEndpoint {
		return nil, fmt.Errorf("callback: %s is the %s endpoint's path", c.Path, endpoint)
	}
	if c.LoginTimeout < time.Minute || c.LoginTimeout > maxLoginTimeout {
		return nil, fmt.Errorf("login_timeout must be between 1m and %s", maxLoginTimeout)
	}
	return &c, nil
}

// compileCallback reads [Config.Callback], or rejects what is of no use without it.
func (p *Policy) compileCallback(c Config) (err error) {
	switch {
	case c.Callback != nil:
		if p.callback, err = c.Callback.complete(); err != nil {
			return err
		}
		p.tokens = sealedTokens{}
		if entry := p.protected.DeniedBy(p.callback.Path); entry != "" {
			return fmt.Errorf("deny_path: %s would deny the callback, %s", entry, p.callback.Path)
		}
	case p.idp.Nonce() != NonceOptional:
		return fmt.Errorf("parameters nonce needs callback: without it no code is bound to a login")
	case c.StepUp:
		return errors.New("step_up needs callback: without it no ID token is held to its login")
	case p.served[ConsentForm]:
		return fmt.Errorf("consent needs callback: without it nobody checks who comes back")
	case p.registry.Remembers:
		return fmt.Errorf("private_key_jwt with jwks needs callback: without it nothing remembers which assertions were used")
	case p.served[PushedRequest]:
		return fmt.Errorf("par of a client needs callback: without it there are no keys to seal its requests with")
	case p.registry.DPoP:
		return fmt.Errorf("dpop needs callback: without it codes and refresh tokens are the identity provider's own")
	case p.registry.BindsCertificates:
		return fmt.Errorf("certificate_bound needs callback: without it tokens are the identity provider's own")
	case c.Rotation != nil:
		return fmt.Errorf("rotate_refresh needs callback: without it refresh tokens are the identity provider's own")
	}
	return nil
}

// compileCodec makes what seals and opens logins.
func (p *Policy) compileCodec(c Config) (err error) {
	if p.callback == nil {
		return nil
	}
	config := login.Config{
		Site: login.Site{
			IdP: p.idp.AuthURL().String(), CallbackPath: p.callback.Path, PublicURL: p.public.url, Issuer: c.Issuer,
			Replay: c.Replay, Nonce: string(p.idp.Nonce()), Rotates: c.Rotation != nil, StepUp: c.StepUp,
		},
		AnyClient: p.registry.TakesAny(),
	}
	for _, r := range p.registry.Resources {
		config.Resources = append(config.Resources, r.Sealed)
	}
	for id, client := range p.registry.Clients {
		config.Clients = append(config.Clients, login.Client{ID: id, Redirects: client.Redirects, Terms: client.Terms})
	}
	if p.registry.Dynamic != nil {
		config.Dynamic = login.Terms(p.registry.Dynamic.Terms)
	}
	p.codec, err = login.New(config)
	return err
}

// HasCallback reports whether the policy makes the gateway the IdP's redirect target.
func (p *Policy) HasCallback() bool { return p.callback != nil }

// callback takes the IdP's authorization response from the browser and sends the
// browser on to the client (RFC 6749 section 4.1.2).
func (f *flow) callback() (Response, error) {
	form := ""
	if f.r.Method == http.MethodPost {
		var err error
		if form, err = params.ReadBody(f.r.Request, f.header, params.MaxBody); err != nil {
			return Response{}, err
		}
	}
	request, err := parseCallback(f.r.Method, f.r.URL.RawQuery, f.r.Header, form)
	if err != nil {
		return Response{}, err
	}
	if err := f.policy.idp.CheckReachable(Callback); err != nil {
		return Response{}, err
	}
	response, err := open(f, func(s sealer) (callbackResponse, error) {
		request.Browser = cookie.Of(s.Callback, f.r.Header)
		return f.policy.takeCallback(s, request)
	})
	f.trace(response.loginID)
	if err != nil {
		return Response{}, err
	}
	f.noteClient(response.Party)
	if response.Err != nil {
		f.result.Decision.Refuse(oauth.AsError(response.Err))
	}
	return response.Response, nil
}

// callbackRequest is the IdP's authorization response at the callback (RFC 6749
// sections 4.1.2 and 4.1.2.1, RFC 9207). Fields are "" if absent.
type callbackRequest struct {
	Code, State, Issuer     string
	Error, ErrorDescription string
	// SessionState (OpenID Connect Session Management 1.0 section 2) and User, a JSON object
	// that Apple posts at the first login only, are for the client as they came: nobody has
	// signed them. "" if the IdP sent none.
	SessionState, User string
	// Browser is the cookie of the browser that brings it: [cookie.Of].
	Browser string
}

// parseCallback reads an authorization response: the query of a GET, or the body
// of a POST (OAuth 2.0 Form Post Response Mode). Other parameters are ignored (RFC 6749
// section 4.1.2), and so are a session_state and a user in another form than they have.
func parseCallback(method, rawQuery string, header http.Header, body string) (callbackRequest, error) {
	var c callbackRequest
	raw, where := rawQuery, "query"
	if method == http.MethodPost {
		if err := params.CheckFormHeader(header); err != nil {
			return c, err
		}
		raw, where = body, "body"
	}
	q, err := params.Parse(raw, where)
	if err != nil {
		return c, err
	}
	for _, p := range q.List {
		var field *string
		switch p.Name {
		case "code":
			field = &c.Code
		case "state":
			field = &c.State
		case "iss":
			field = &c.Issuer
		case "error":
			field = &c.Error
		case "error_description":
			field = &c.ErrorDescription
		case "session_state":
			if len(p.Value) > maxSessionState || !syntax.VSChar.Holds(p.Value) {
				continue
			}
			field = &c.SessionState
		case "user":
			if user := jsontext.Value(p.Value); method != http.MethodPost || len(p.Value) > maxUser || user.Kind() != '{' || !user.IsValid() {
				continue
			}
			field = &c.User
		default:
			continue
		}
		if *field != "" {
			return c, oauth.Reject(oauth.InvalidRequest, "RFC 6749 section 3.1", "the parameter "+p.Name+" occurs more than once")
		}
		*field = p.Value
	}
	return c, nil
}

// callbackResponse is what the browser gets at the callback.
type callbackResponse struct {
	Response
	// Party is the client that it goes to.
	clients.Party
	loginID login.ID
	// Err is the error that the client is told, nil if it gets a code.
	Err error
}

// takeCallback turns the IdP's response into the client's. With an error, the browser
// must stay here: the state was not sealed for this callback and a client that is
// registered now. [seal.ErrUnknownKey] is in the chain of one that newer keys may open.
func (p *Policy) takeCallback(s sealer, c callbackRequest) (callbackResponse, error) {
	pending, err := p.codec.OpenPending(s.Keys, s.Callback, c.State)
	if err != nil {
		e := oauth.Reject(oauth.InvalidRequest, "RFC 6749 section 10.12",
			"this login did not begin at this gateway, or it began too long ago, or its app's registration here has changed since; go back to the app and log in again")
		e.Cause = err
		return callbackResponse{}, e
	}
	y := p.registry.Find(pending.ClientID)
	if err := checkConsent(y, &pending, c.Browser); err != nil {
		return callbackResponse{loginID: pending.ID}, err
	}
	pending.Browser = login.BrowserHash{} // what follows is the client's, not the browser's
	response := authorization.Response{RedirectURI: pending.RedirectURI, Mode: pending.Mode}
	code, err := p.completeLogin(s, &pending, c)
	if err != nil {
		response.AddError(oauth.AsError(err))
	}
	response.Add("code", code)
	if err == nil {
		response.Add("session_state", c.SessionState)
		if pending.Mode == oauth.FormPostMode { // what people are called stays out of URLs
			response.Add("user", c.User)
		}
	}
	response.Add("state", pending.State)
	response.Add("iss", p.responseIssuer(y, pending.OpenID, c.Issuer != ""))
	return callbackResponse{Response: Response(response.Page(http.StatusSeeOther)), Party: y, loginID: pending.ID, Err: err}, nil
}

// completeLogin is the client's code for the IdP's response, or what the client
// is told instead.
func (p *Policy) completeLogin(s sealer, l *login.Pending, c callbackRequest) (string, error) {
	switch {
	case !s.Now.Before(l.Expires):
		return "", oauth.Reject(oauth.AccessDenied, "RFC 6749 section 4.1.2.1",
			"the login took longer than the "+p.callback.LoginTimeout.String()+" that this gateway allows; start again")
	case c.Issuer != "" && p.idp.Issuer() != "" && c.Issuer != p.idp.Issuer():
		return "", oauth.Reject(oauth.ServerError, "RFC 9207 section 2.4", "the response is from another identity provider than the one that was asked")
	case c.Issuer == "" && p.idp.RequiresIssuer():
		return "", oauth.Reject(oauth.ServerError, "RFC 9207 section 2.4", "the response does not say which identity provider it is from, although that one always does")
	case c.Error != "":
		return "", idpError(c, l.OwnOpenID)
	// A space would let one code be written in two ways, of which a lenient IdP
	// takes both.
	case c.Code == "" || !syntax.VSChar.Holds(c.Code) || strings.Contains(c.Code, " "):
		return "", oauth.Reject(oauth.ServerError, "RFC 6749 section 4.1.2", "the identity provider sent neither a code nor an error")
	}
	authorized := login.Authorized{Login: l.Login, Code: c.Code, Callback: s.Callback}
	authorized.Expires = s.Now.Add(login.CodeLifetime)
	return p.codec.SealAuthorized(s.Keys, &authorized), nil
}

// idpError is the IdP's error as the client gets it: a registered code, and the
// IdP's own words only where they are meant for the user (the account is blocked,
// the address not verified).
func idpError(c callbackRequest, ownOpenID bool) error {
	e := oauth.Reject(oauth.Code(c.Error), "RFC 6749 section 4.1.2.1", "the identity provider rejected the login")
	switch e.Code {
	case oauth.AccessDenied, oauth.InteractionRequired, oauth.LoginRequired, oauth.ConsentRequired, oauth.AccountSelectionRequired, oauth.UnmetAuthentication:
		e.Detail = c.ErrorDescription
	case oauth.InvalidScope:
		if ownOpenID {
			e.Description = "the identity provider rejected the scope, to which this gateway adds openid: allow the client that scope there, or write the endpoints instead of discover"
		}
	case oauth.InvalidRequest, oauth.UnauthorizedClient, oauth.UnsupportedResponseType, oauth.TemporarilyUnavailable:
	default:
		e.Code = oauth.ServerError
	}
	return e
}
