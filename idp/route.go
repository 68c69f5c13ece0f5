package idp

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/endpoint"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/header"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/paths"
)

// Endpoint is one of the gateway's public paths.
type Endpoint = endpoint.Endpoint

// The endpoints. NoEndpoint is the zero value: none of them.
const (
	NoEndpoint        = endpoint.None
	Authorize         = endpoint.Authorize
	Token             = endpoint.Token
	UserInfo          = endpoint.UserInfo
	Logout            = endpoint.Logout
	Callback          = endpoint.Callback
	Revoke            = endpoint.Revoke
	Register          = endpoint.Register
	ConsentForm       = endpoint.Consent
	PushedRequest     = endpoint.PushedRequest
	Introspect        = endpoint.Introspect
	BackchannelLogout = endpoint.BackchannelLogout
)

// Endpoints lists the four that there always are.
var Endpoints = endpoint.Always

// verdict is how a request is handled: as its path is, or as one for an endpoint.
type verdict = paths.Verdict

const (
	// passThrough: the next handler serves it.
	passThrough = paths.Free
	// pathConfusion, denied, tooLong: it must be rejected.
	pathConfusion = paths.Confused
	denied        = paths.Denied
	tooLong       = paths.TooLong
	// loginLookalike: only a request that [Policy.checkLookalike] accepts is for the next
	// handler.
	loginLookalike = paths.Login
)

const (
	// match: an endpoint's path and method.
	match = paths.Verdicts + iota
	// wrongMethod: an endpoint's path, another method.
	wrongMethod
	// rewritten: a protected path that the server's configuration made another one
	// before the gateway saw it. It must be rejected: FastCGI handlers still see the
	// first.
	rewritten
)

// metadataDocument is one of the documents by which clients find everything at the
// gateway. Those of OAuth and of OpenID Connect have its endpoints.
type metadataDocument uint8

const (
	// noMetadata is none of them.
	noMetadata metadataDocument = iota
	// oauthMetadata is for clients without openid (RFC 8414): the issuer is the gateway.
	oauthMetadata
	// openIDMetadata is for clients with openid (OpenID Connect Discovery 1.0). Where ID tokens
	// are the IdP's, the issuer is the IdP, because they say so, and so are the keys.
	openIDMetadata
	// publicKeys is the JWK Set of the gateway's own ID tokens (RFC 7517 section 5).
	publicKeys
)

// keysPath is where that is, below the public URL.
const keysPath = "/.well-known/jwks.json"

// metadataAt is the document at a path of the gateway. The well-known part may
// stand before the path of the gateway's public URL (RFC 8414 section 3.1) or, for
// OpenID Connect, and where the gateway is its issuer, after it, which a server may have
// stripped from the request.
func (p *Policy) metadataAt(path string) metadataDocument {
	const oauth, openID = "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"
	if p.public.url == "" {
		return noMetadata
	}
	switch path {
	case oauth + p.public.path:
		return oauthMetadata
	case openID, openID + p.public.path, p.public.path + openID:
		return openIDMetadata
	}
	if !p.signs || p.idp.IsKnown() && !p.issues {
		return noMetadata
	}
	switch path {
	case p.public.path + oauth, oauth: // where clients of OpenID Connect look for it
		return oauthMetadata
	case p.public.path + keysPath, keysPath:
		return publicKeys
	}
	return noMetadata
}

// Serves reports whether the gateway serves or rejects a path itself, the documents of
// metadata aside.
func (p *Policy) Serves(method, escapedPath string) bool {
	_, verdict := p.route(method, escapedPath)
	return verdict != passThrough
}

// route classifies a request by its method and its path as it stands in the
// request line (escaped, without the query). Before it [Policy.metadataAt] and, for what it lets
// pass, [Policy.checkLookalike], [Policy.routeHeader] and [Policy.routeOriginal] decide which
// requests the gateway handles, and nothing else does, so that routing and policy can't disagree.
func (p *Policy) route(method, escapedPath string) (Endpoint, verdict) {
	if p.callback != nil && escapedPath == p.callback.Path {
		if Callback.Takes(method) {
			return Callback, match
		}
		return Callback, wrongMethod
	}
	endpoint := endpoint.At(escapedPath)
	if endpoint == NoEndpoint || !p.served[endpoint] {
		owner, verdict := p.protected.Classify(method, escapedPath)
		return Endpoint(owner), verdict
	}
	if !endpoint.Takes(method) {
		return endpoint, wrongMethod
	}
	return endpoint, match
}

// routeHeader classifies a request that [Policy.route] lets pass by its header:
// [passThrough], unless a later server could take one of its fields for the path.
func (p *Policy) routeHeader(header http.Header) (Endpoint, verdict) {
	owner, verdict := p.protected.ClassifyHeader(header)
	return Endpoint(owner), verdict
}

// routeOriginal classifies a request that [Policy.route] lets pass by the path that
// it had before the server rewrote it: [passThrough] or [rewritten].
func (p *Policy) routeOriginal(method, escapedPath string) (Endpoint, verdict) {
	endpoint, verdict := p.route(method, escapedPath)
	if verdict != passThrough && verdict != tooLong {
		verdict = rewritten
	}
	return endpoint, verdict
}

// rejectRoute is the error for a path or method that is not served.
func (f *flow) rejectRoute(verdict verdict) error {
	err := routeError(f.endpoint, verdict)
	switch verdict {
	case wrongMethod:
		if script, ok := f.endpoint.Scripts(); ok {
			oauth.AsError(err).Allow = script.Allow(f.policy.registry.Origins)
		}
		return f.rejectPath("", err)
	case denied:
		return f.rejectPath(DeniedPath, err)
	}
	return f.rejectPath(ConfusedPath, err)
}

// rejectPath notes an outcome that says more than an error about a path, which is JSON
// unless the server has a page of its own.
func (f *flow) rejectPath(outcome string, err error) error {
	f.result.Page, f.format = negotiate(f.r.Header).page, format{}
	if f.result.Page {
		header.SetReferrer(f.header, header.NoReferrer)
	}
	f.result.Decision.Outcome = outcome
	return err
}

// routeError is the error for the verdicts other than [match] and [passThrough],
// nil for these.
func routeError(endpoint Endpoint, verdict verdict) error {
	switch verdict {
	case wrongMethod:
		path, methods := cmp.Or(endpoint.Path(), "the callback"), endpoint.Methods()
		e := oauth.Reject(oauth.InvalidRequest, "RFC 9110 section 15.5.6", path+" takes "+methods+" only")
		e.Status, e.Allow = http.StatusMethodNotAllowed, methods
		return e
	case pathConfusion:
		description := "this path is not served; a later handler could mistake it for an endpoint of the identity provider"
		switch endpoint {
		case NoEndpoint:
		case Callback:
			description = "this path is not served; write the callback exactly as it is configured"
		default:
			description = "this path is not served; write the endpoint exactly as " + endpoint.Path()
		}
		return notServed("RFC 3986 section 6.2", description)
	case tooLong:
		e := oauth.Reject(oauth.InvalidRequest, "RFC 9110 section 15.5.15", "the path is too long to be checked in all its spellings: decoded, one with escapes, or with other "+
			"characters than letters, digits and -_., may have "+strconv.Itoa(paths.MaxDecoded)+" bytes, and "+strconv.Itoa(paths.MaxScripts)+" names of scripts; "+
			"this also goes for X-Original-URL and X-Rewrite-URL, of which a request may have one")
		e.Status = http.StatusRequestURITooLong
		return e
	case rewritten:
		return notServed("RFC 9110 section 15.5.5", "a rewrite in the server's configuration, such as try_files, "+
			"moved this path past the gateway; leave the gateway's paths out of it, or put the gateway into a route before it")
	case denied:
		return notServed("RFC 9110 section 15.5.5", "this path of the identity provider is not served here (deny_path)")
	}
	return nil
}

func notServed(source, description string) *oauth.Error {
	e := oauth.Reject(oauth.InvalidRequest, source, description)
	e.Status = http.StatusNotFound
	return e
}

// checkEarlyData rejects a request that is not safe (RFC 9110 section 9.2.1) and came
// before the TLS handshake was complete, here or at the proxy before. Whoever records
// such a request on its way can repeat it without any key (RFC 8446 section 8): a
// refresh token that is used again ends its login. Clients send it again by themselves.
// Of the field Early-Data every value, and several, mean 1 (RFC 8470 section 5.1).
func checkEarlyData(r *http.Request) error {
	if r.Method != http.MethodPost || (r.TLS == nil || r.TLS.HandshakeComplete) && r.Header["Early-Data"] == nil {
		return nil
	}
	e := oauth.Unavailable("the request came as TLS early data, which others can repeat; send it again after the handshake", "")
	e.Status, e.Source = http.StatusTooEarly, "RFC 8470 section 5.2"
	return e
}

// protectEndpoints makes the endpoints' paths, the public ones and those at the
// IdP, ones that no other handler may serve. Of another host they matter only
// where all of a host is proxied to the IdP, which deny_path is for.
func (p *Policy) protectEndpoints() {
	p.protected = p.protected.WithoutOwners()
	protect := func(path string, endpoint Endpoint) { p.protected.Add(path, uint8(endpoint)) }
	for i, served := range p.served {
		if served {
			protect(Endpoint(i).Path(), Endpoint(i))
		}
	}
	for i, served := range p.served {
		at := p.idp.At(Endpoint(i))
		if !served || at == nil || at.Host != p.idp.AuthURL().Host && !p.protected.DeniesSome() {
			continue
		}
		if path := paths.Canonical(at.Path); path != Endpoint(i).Path() && path != "/" {
			protect(path, NoEndpoint)
		}
	}
	if p.callback != nil {
		protect(p.callback.Path, Callback)
	}
}

// HandsHostOver reports whether other handlers may hand this whole host to the IdP, so
// that they get nothing while it is not known which of its paths are protected.
func (p *Policy) HandsHostOver() bool { return p.idp.Proxied() || p.protected.DeniesSome() }

// compileDenyPaths reads [Config.DenyPaths].
func (p *Policy) compileDenyPaths(c Config) error {
	for _, entry := range c.DenyPaths {
		if err := CheckDenyPath(entry); err != nil {
			return err
		}
	}
	return p.protected.Deny(c.DenyPaths, p.idp.AuthURL().Path)
}

// CheckDenyPath checks an entry of [Config.DenyPaths].
func CheckDenyPath(entry string) error {
	var denied paths.Protected
	if err := denied.Deny([]string{entry}, ""); err != nil {
		return err
	}
	for _, endpoint := range Endpoints {
		if denied.DeniedBy(endpoint.Path()) != "" {
			return fmt.Errorf("deny_path: %s would deny the %s endpoint, %s", entry, endpoint, endpoint.Path())
		}
	}
	return nil
}
