package idp

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/accept"
	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/body"
	"github.com/identity-gateway/caddy-identity-gateway/idp/cors"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/header"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pages"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
	"github.com/identity-gateway/caddy-identity-gateway/idp/signing"
)

// flow is one request on its way through an endpoint. Each endpoint is a function
// whose steps stand in the order in which they happen, and which returns either a
// response or the error that is the response instead.
type flow struct {
	gateway *Gateway
	policy  *Policy
	r       Request

	endpoint Endpoint
	format   format
	// header is that of the response, whatever it will be.
	header http.Header
	result Result
}

// begin notes which endpoint a request is for.
func (f *flow) begin(endpoint Endpoint) {
	f.endpoint = endpoint
	f.result.Decision.Endpoint = endpoint.String()
	f.allowOrigins(f.policy.registry.Origins)
	if endpoint.IsFrontChannel() {
		f.format = negotiate(f.r.Header)
	}
	body.CloseConnection(f.header, f.r.Request)
}

// end is the result: a response, or the error in its place.
func (f *flow) end(response Response, err error) *Result {
	d := &f.result.Decision
	switch {
	case errors.Is(err, body.ErrClientGone):
		d.Leave()
		response = Response{Status: StatusClientGone, Header: make(http.Header)}
	case err != nil:
		response = f.refuse(oauth.AsError(err))
	case d.Outcome == "":
		d.Pass()
	}
	if response.Header == nil {
		response.Header = f.header
	} else {
		maps.Copy(response.Header, f.header)
	}
	if d.Refusal != nil {
		response.Header.Set(ReferenceHeader, d.Reference())
	}
	if f.r.Method == http.MethodPost && response.Status == http.StatusFound {
		response.Status = http.StatusSeeOther // to be followed with GET, by whatever follows it
	}
	delete(response.Header, "Content-Length") // the body may be another one
	if len(response.Body) > 0 {
		response.Header.Set("Content-Length", strconv.Itoa(len(response.Body)))
	}
	f.result.Response = response
	return &f.result
}

// refuse is an error as the client reads it: JSON, or a page for a browser.
func (f *flow) refuse(e *oauth.Error) Response {
	f.result.Decision.Refuse(e)
	if f.format.page {
		f.result.Page = true
		return f.policy.errorPage(f.r.Header, e, f.result.Decision.Reference())
	}
	response := Response{Status: e.Status, Header: make(http.Header), Body: e.AppendJSON(nil)}
	e.SetHeader(response.Header)
	return response
}

// redirect is a response with 302, of which [flow.end] makes 303 to a POST: browsers follow both
// with GET (RFC 9700 section 4.12: never 307).
func (f *flow) redirect(location string) Response {
	header.SetRedirect(f.header, location)
	return Response{Status: http.StatusFound}
}

// note records an incident. That a client left is none.
func (f *flow) note(kind IncidentKind, err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	f.result.Incidents = append(f.result.Incidents, Incident{kind, err})
}

// trace notes whose login a request is of.
func (f *flow) trace(id login.ID) { f.result.Decision.LoginID = id.String() }

// traceToken notes by which access token a request is traced: no login is sealed in those
// of the IdP.
func (f *flow) traceToken(token string) {
	f.result.Decision.TokenID = f.fingerprint(accessTokenTrace, token)
}

// fingerprint stands for a text in the log; "" without a callback, or while there are no keys.
func (f *flow) fingerprint(purpose seal.Purpose, text string) string {
	if keys, err := f.keys(); err == nil && keys != nil {
		return keys.Fingerprint(purpose, text)
	}
	return ""
}

// The purposes of the fingerprints in logs.
const (
	accessTokenTrace seal.Purpose = "access token in logs"
	subjectTrace     seal.Purpose = "subject in logs"
)

// loggedSubject is the user as the log has it.
func (f *flow) loggedSubject(subject string) string {
	if !upstream.IsSubject(subject) {
		return ""
	}
	return f.fingerprint(subjectTrace, f.policy.idp.AuthURL().String()+"\x00"+subject)
}

// keys are those that seal, nil without a callback.
func (f *flow) keys() (*seal.Keys, error) {
	if f.policy.callback == nil {
		return nil, nil
	}
	// For a client that has left, too: what the IdP has given it must not be lost.
	keys, err := f.gateway.parts.Keys.Current(context.WithoutCancel(f.r.Context()))
	if err != nil {
		return nil, oauth.NoKeys() // the keyring reports it
	}
	return keys, nil
}

// signingKeys are those of the gateway's own ID tokens.
func (f *flow) signingKeys() (*signing.Keys, error) {
	keys, err := f.gateway.parts.SigningKeys.Current(context.WithoutCancel(f.r.Context()))
	if err != nil { // whoever has them reports it
		return nil, oauth.Unavailable("the gateway can't get at its signing keys; try again later", "5")
	}
	return keys, nil
}

// newSealer is what it takes to seal and open now. It is empty without a callback.
func (f *flow) newSealer() (sealer, error) {
	keys, err := f.keys()
	if keys == nil {
		return sealer{}, err
	}
	return f.sealer(keys), nil
}

func (f *flow) sealer(keys *seal.Keys) sealer {
	return sealer{Keys: keys, Now: f.gateway.parts.Now(), Callback: f.policy.CallbackURL(f.r.BaseURL)}
}

// CallbackURL is the callback as browsers reach it: below [Config.PublicURL], or else
// below base, the URL under which they reach the gateway. It is "" without a callback.
func (p *Policy) CallbackURL(base string) string {
	if p.callback == nil {
		return ""
	}
	return cmp.Or(p.public.url, base) + p.callback.path
}

// open calls a function that opens something sealed, and once more with newer keys if
// another gateway may have sealed it with one of those.
func open[T any](f *flow, with func(sealer) (T, error)) (T, error) {
	opened, err := seal.With(f.r.Context(), f.gateway.parts.Keys, func(keys *seal.Keys) (T, error) { return with(f.sealer(keys)) })
	if errors.Is(err, seal.ErrNoKeys) {
		err = oauth.NoKeys() // the keyring reports it
	}
	return opened, err
}

// isSealed reports whether a text that would be sent to the IdP has something in it that the
// gateway has sealed, in any spelling: a refresh token or code, which are good here.
func (f *flow) isSealed(text string) (bool, error) {
	if f.policy.callback == nil {
		return false, nil
	}
	for i := 0; i < 3 && strings.Contains(text, "%"); i++ {
		decoded, err := url.PathUnescape(text)
		if err != nil {
			break
		}
		text = decoded
	}
	for rest := text; rest != ""; {
		n := 0
		for n < len(rest) && syntax.Base64URL.Has(rest[n]) {
			n++
		}
		part := rest[:n]
		if rest = rest[min(n+1, len(rest)):]; !seal.IsSealed(part) {
			continue
		}
		_, err := open(f, func(s sealer) (struct{}, error) { return struct{}{}, s.Keys.Sealed(part) })
		switch {
		case err == nil:
			return true, nil
		case !errors.Is(err, seal.ErrInvalid) && !errors.Is(err, seal.ErrUnknownKey):
			return false, err
		}
	}
	return false, nil
}

// presented is what a client shows as a token, and what that says to be. The IdP gets nothing that
// says to be a gateway's.
type presented struct {
	text string
	form gatewaytoken.Form
}

func (p *Policy) present(token string) presented {
	issuer := ""
	if p.signs {
		issuer = p.public.url
	}
	return presented{token, gatewaytoken.FormOf(token, issuer)}
}

// detached is a context for what has to be recorded even if the client leaves: see [StoreTimeout].
func (f *flow) detached() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(f.r.Context()), StoreTimeout)
}

// format is what the client of a front-channel request wants, from its Accept.
type format struct {
	// page: errors are HTML pages. Only a client that names HTML is a browser.
	page bool
	// result is the media type in which an API client wants the result of a
	// login. It is empty for a client that wants to be redirected.
	result resultType
}

// negotiate reads Accept. A client that names JSON or a form and does not accept
// HTML is an API client. Others, such as those that accept anything, are
// redirected.
func negotiate(header http.Header) format {
	const html, xhtml = "text/html", "application/xhtml+xml"
	ranges := accept.Parse(header["Accept"])
	if ranges.Quality(html) > 0 || ranges.Quality(xhtml) > 0 {
		return format{page: ranges.Names(html) || ranges.Names(xhtml)}
	}
	var offers []string
	for _, offer := range []resultType{formResult, jsonResult} { // in the contract's order
		if ranges.Names(string(offer)) {
			offers = append(offers, string(offer))
		}
	}
	return format{result: resultType(ranges.Best(offers...))}
}

// corsEndpoint is what scripts may do at an endpoint. It is false for the front
// channel, and for what is for servers.
func corsEndpoint(endpoint Endpoint) (cors.Endpoint, bool) {
	if endpoint == NoEndpoint || endpoint == Introspect || endpoint == BackchannelLogout || endpoint.IsFrontChannel() {
		return cors.Endpoint{}, false
	}
	return cors.Endpoint{Method: endpoint.Methods(), RequestHeaders: scriptsSend, ResponseHeaders: scriptsRead}, true
}

// What scripts send and read: scriptsSend are the fields of the libraries of single-page apps,
// X-Requested-With of Swagger UI, and the last four of what traces requests.
var (
	scriptsSend = []string{
		"Authorization", "Content-Type", "Auth0-Client", "X-Application-ID", "DPoP", "X-Requested-With", "Traceparent", "Tracestate", "Baggage", "Sentry-Trace",
	}
	scriptsRead = []string{"WWW-Authenticate", "Retry-After", bearer.NonceHeader, ReferenceHeader}
)

// allowOrigins lets scripts of these origins read the response.
func (f *flow) allowOrigins(origins cors.Origins) {
	if script, ok := corsEndpoint(f.endpoint); ok {
		script.SetHeader(f.header, f.r.Request, origins)
	}
}

// errorPage is the page for the browser that sent a rejected request with this header. The
// reference is what the request is found by in the log.
func (p *Policy) errorPage(header http.Header, e *oauth.Error, reference string) Response {
	return Response(p.pages.Error(header["Accept-Language"], &pages.Problem{
		Status: e.Status, Code: string(e.Code), Description: e.Description, Source: e.Source, Reference: reference, WayBack: e.WayBack,
	}))
}

// sealer is what it takes to seal and open: the keys, the time, and the
// callback's address as the browser knows it ([Policy.CallbackURL]).
type sealer struct {
	Keys     *seal.Keys
	Now      time.Time
	Callback string
}
