package requiretoken

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/anonymous"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	shared "github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/metrics"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/routes"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/accesstoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/body"
	"github.com/identity-gateway/caddy-identity-gateway/idp/cors"
	"github.com/identity-gateway/caddy-identity-gateway/idp/mcp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/paths"
)

func init() {
	caddy.RegisterModule(RequireToken{})
}

// RequireToken lets a request pass if it has an access token that the issuer gave
// out for this resource server, and otherwise responds with the challenge of RFC
// 6750: 401, or 403 if the token's scopes do not suffice, or 503 while the issuer
// can't be asked.
//
// The token comes in exactly one `Authorization: Bearer` field, or with `dpop` in one
// `Authorization: DPoP` field with a proof. One in the query is
// rejected, since a server behind this one might prefer it. CORS preflights pass
// without a token, with what browsers send with them and nothing else but what a
// trusted proxy adds.
// An upgrade to HTTP/2 or TLS, whose requests nobody would check, is not passed on.
//
// What later handlers get:
//
// Placeholder | Description
// ------------|------------
// `{http.auth.user.id}` | The user: the claim `sub`
// `{http.auth.user.<claim>}` | A claim; of an object a member by a path such as `realm_access.roles`. A list of strings is joined with commas, without members that have one themselves. Other lists, objects, what begins or ends with white space, and an `email` or `phone_number` that is not verified are empty, as is what the token does not have
// `{http.auth.user.<claim>.<member>}` | The member, if a list of strings has it or the claim is that string; otherwise empty
//
// Placeholders such as `{env.AUDIENCE}` in options are resolved when the configuration is loaded.
type RequireToken struct {
	Issuer

	// Several issuers, in place of the one. Of what stands beside them, scopes and what says
	// how users have logged in hold for all, and so do audiences where an issuer has none of its own.
	Issuers []Issuer `json:"issuers,omitempty"`

	// The authentication contexts (`acr`) of which the user's login has to be one, the preferred
	// one first. Other tokens are 401 with a challenge on which clients log in anew (RFC 9470).
	ACR []string `json:"acr,omitempty"`

	// How long ago the user may have logged in (`auth_time`). Default: any time.
	MaxAge caddy.Duration `json:"max_age,omitempty"`

	// Whose tokens are accepted: the `idp`'s (default), or the own ones of the `gateway`
	// whose public_url the issuer is, for one of its resources, which are the audiences.
	// Nobody is asked about these: the gateway's keys open them.
	Tokens idp.TokenIssuer `json:"tokens,omitempty"`

	// The gateway's sealing keys, as it has them, for `tokens gateway`. Default: those of
	// the identity_gateway with this public_url in the same configuration.
	SealingKeys []string `json:"sealing_keys,omitempty"`

	// Where bearer tokens come from besides `Authorization`: a `cookie` whose name begins with `__Host-`, or
	// a `header` field that a proxy in front sets. A request with a token in two places is rejected, as is one
	// with the cookie that may change something, or opens a WebSocket, from another site's page.
	TokenFrom bearer.Source `json:"token_from,omitzero"`

	// Whether tokens may (`optional`) or must (`required`) be bound to a key (DPoP, RFC
	// 9449): a request with one then needs a proof of that key, and plain bearer tokens of
	// others are good with `optional` only. It needs resource, whose scheme and host proofs
	// name, with the path of the request. Default: bound tokens are rejected.
	DPoP oauth.Mode `json:"dpop,omitempty"`

	// How long the check of a token is remembered. Default: `1m`.
	CacheTTL caddy.Duration `json:"cache_ttl,omitempty"`

	// Asks the issuer about tokens that are no JWTs (RFC 7662).
	Introspection *Introspection `json:"introspection,omitempty"`

	Resource

	// The paths that pass without a token, such as `/`, `/favicon.ico` and `/assets/*`: a
	// `*` stands for one segment, at the end for all that is below. A path that some
	// server could read as another one is not public, in contrast to what a matcher
	// before this handler lets through. Default: none.
	Public []string `json:"public,omitempty"`

	// The only paths that get to the next handler, such as `/files/mcp` and `/files/mcp/*`, for
	// one of several servers on a host, which have tokens of their own: every other path, and one
	// that some server could read as another, is 404. Default: all.
	Paths []string `json:"paths,omitempty"`

	// Header fields that the request gets from claims, by field: `X-User` from
	// `sub`, for example. An `email` makes one only if `email_verified` is true. What a client sends in a field of this name, in any
	// spelling that CGI-like servers take for it (`X_User`, `X!User`), is removed.
	Headers map[string]string `json:"headers,omitempty"`

	// The header field in which the server behind gets the IdP's access token that is inside
	// the gateway's own, as `Authorization` (after the word Bearer) or `X-Upstream-Token`,
	// where the gateway's resource has `upstream_token`. A token without one is rejected.
	UpstreamToken string `json:"upstream_token,omitempty"`

	// What calls of a tool need besides, by the tool's name, for servers of the Model Context
	// Protocol: scopes, and claims of the user. In a name such as `delete_*` a `*` stands for
	// anything. The most specific rule counts: `delete_draft` before `delete_*` before `*`; where
	// neither name has all that the other one has, as `delete_*` and `*_user`, both do. Case does
	// not count. The body of a request is then read, up to 4 MiB, and held to the fields
	// `Mcp-Method` and `Mcp-Name`. Default: nothing.
	Tools mcp.Policy `json:"tools,omitempty"`

	// The web origins whose scripts may read the rejections, and whose preflights are answered if
	// the handlers that follow say nothing of CORS. What passes is for these. Default: all, without
	// credentials.
	Origins []string `json:"origins,omitempty"`

	segment args.Segment

	verifier *accesstoken.Verifier
	bearer   bearer.Challenge
	scopes   func() scopes
	proofs   *bearer.Proofs // nil without dpop
	clients  string         // a URL with the scheme and host that clients know, with dpop
	logger   *zap.Logger
	servers  *servers
	closing  []func() error // what gives back the metadata and keys of issuers

	cors     cors.Endpoint
	origins  cors.Origins
	public   paths.Public
	own      paths.Public // of Paths
	tools    *mcp.Rules
	folded   map[string]string // the fields of Headers by paths.FoldField
	metrics  *metrics
	refusals *decision.Log
	streams  *streams
}

// CaddyModule returns the Caddy module information.
func (RequireToken) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{
		ID:  "http.handlers.require_token",
		New: func() caddy.Module { return new(RequireToken) },
	}
}

// Provision compiles the rules. It does not talk to the issuer.
func (h *RequireToken) Provision(ctx caddy.Context) (err error) {
	h.segment = args.SegmentOf(h)
	defer h.segment.Locate(&err)
	h.useStreams(ctx)
	err = h.provision(ctx)
	h.refusals = decision.NewLog(h.logger)
	if err == nil {
		h.metrics, err = provisionMetrics(ctx.GetMetricsRegistry())
	}
	if err == nil {
		h.origins, err = parseOrigins(h.Origins)
	}
	if err == nil {
		h.folded, err = h.foldHeaders()
	}
	if err == nil {
		h.public, err = paths.NewPublic(h.Public)
	}
	if err == nil {
		err = h.checkPublic(h.public)
	}
	if err == nil {
		h.own, err = paths.NewPublic(h.Paths)
	}
	if err == nil {
		h.tools, err = h.Tools.Compile(h.Name)
	}
	if err == nil {
		h.scopes = offered(ctx, h.Name, h.Resource.Resource, h.Scopes, h.Tools.Scopes())
		err = routes.Add(ctx, h.checkPlaces)
	}
	h.cors = cors.Endpoint{ResponseHeaders: []string{"WWW-Authenticate", "Retry-After", bearer.NonceHeader, decision.ReferenceHeader}}
	return err
}

// Cleanup gives back what Provision acquired.
func (h *RequireToken) Cleanup() error {
	if h.streams != nil {
		_, _ = openStreams.Delete(openStreamsKey) // whose Destruct returns none
	}
	if h.proofs != nil {
		_, _ = usedProofs.Delete(usedProofsKey) // whose Destruct returns none
	}
	var errs []error
	for _, give := range h.closing {
		errs = append(errs, give())
	}
	return errors.Join(errs...)
}

// ServeHTTP checks the token.
func (h *RequireToken) ServeHTTP(w http.ResponseWriter, r *http.Request, next caddyhttp.Handler) error {
	if h.serve(w, r, h.servers, h.scopes, h.DPoP) {
		return nil
	}
	h.removeHeaders(r.Header)
	h.keepFields(r.Header)
	idp.DropUpgradeToHTTP(r.Header)
	r.Trailer = nil // comes after the check, and some servers read it as fields
	if h.isPublic(r) {
		h.metrics.pass(r.Context())
		return h.respond(w, r, next, nil, nil)
	}
	if h.isElsewhere(r) {
		h.reject(w, r, notHere(), nil)
		return nil
	}
	if cors.IsPreflight(r) && reducePreflight(r) {
		h.metrics.pass(r.Context())
		return h.servePreflight(w, r, next)
	}
	h.setNonce(w.Header(), r)
	token, err := h.check(r)
	var need *mcp.Need
	if len(h.Tools) > 0 {
		need, err = h.checkCalls(r, token, err)
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, body.ErrClientGone) {
		h.leave(w, r)
		return nil
	}
	if err != nil {
		h.allowScripts(w.Header(), r)
		h.reject(w, r, err, need)
		return nil
	}
	h.metrics.pass(r.Context())
	decision.AddLogin(r, token.LoginID)
	return h.respond(w, r, next, token, need)
}

// check reads and checks the token of a request.
func (h *RequireToken) check(request *http.Request) (*accesstoken.Token, error) {
	if err := bearer.RejectQuery(request.URL.RawQuery); err != nil {
		return nil, err
	}
	passed, _ := caddyhttp.GetVar(request.Context(), userVar).(*accesstoken.Token)
	var known string
	if h.proofs != nil || h.TokenFrom.Cookie != "" { // what alone is held to it
		known = h.clientURL(request)
	}
	return h.verifier.VerifyRequest(request.Context(), request, known, passed)
}

// passOn passes a request on. If that ends with an error, error routes get the request,
// which may lead to another server than the one that is protected: they get nothing of the
// user, be it from this handler, from those after it or from the client. The
// placeholders stay, which the access log has user_id of.
func passOn(w http.ResponseWriter, r *http.Request, next caddyhttp.Handler) error {
	err := next.ServeHTTP(w, r)
	if err != nil {
		anonymous.RemoveFields(r)
	}
	return err
}

// reject responds with an error as JSON. need is what the request needs, nil if that is what all
// do.
func (h *RequireToken) reject(w http.ResponseWriter, r *http.Request, err error, need *mcp.Need) {
	e := h.challenge(err, need)
	d := newDecision(r)
	d.Refuse(e)
	h.metrics.reject(d)
	h.refusals.Refused(r, d.Line())
	w.Header().Set(decision.ReferenceHeader, d.Reference())
	if e.Status == http.StatusUnauthorized && isForAPerson(r) && h.serveErrorRoutes(w, r, e, d) {
		return
	}
	e.SetHeader(w.Header())
	body.CloseConnection(w.Header(), r)
	w.WriteHeader(e.Status)
	if call, ok := errors.AsType[*mcp.Error](err); ok {
		_, _ = w.Write(call.AppendJSON(nil))
		return
	}
	_, _ = w.Write(e.AppendJSON(nil)) // a client that left is not an error, and Caddy would log the URL
}

// isForAPerson reports a request for a page: what browsers show, and programs do not ask for.
func isForAPerson(r *http.Request) bool {
	mode := r.Header.Get("Sec-Fetch-Mode")
	return r.Method == http.MethodGet && r.Header["Upgrade"] == nil && (mode == "" || mode == "navigate") &&
		slices.ContainsFunc(r.Header["Accept"], func(types string) bool { return strings.Contains(strings.ToLower(types), "text/html") })
}

// serveErrorRoutes has the error routes of the server (handle_errors) respond to a person without
// a token. It is false if they do not.
func (h *RequireToken) serveErrorRoutes(w http.ResponseWriter, r *http.Request, e *oauth.Error, d *decision.Decision) bool {
	if !anonymous.HasErrorRoutes(r) {
		return false
	}
	e.SetHeader(w.Header())
	w.Header().Del("Content-Type") // theirs is to be the page's
	responded, err := anonymous.ServeErrorRoutes(w, r, caddyhttp.HandlerError{StatusCode: e.Status, Err: e, ID: d.Reference()})
	if err != nil {
		h.logger.Error("handle_errors failed", zap.String("reference", d.Reference()), zap.Error(idp.Scrub(err)))
	}
	return responded
}

// leave notes a client that left before the issuer said anything about its token.
func (h *RequireToken) leave(w http.ResponseWriter, r *http.Request) {
	d := newDecision(r)
	d.Outcome = idp.ClientGone
	h.metrics.reject(d)
	w.WriteHeader(decision.StatusClientGone)
}

func newDecision(r *http.Request) *decision.Decision {
	d := &decision.Decision{Server: shared.Server(r.Context()), Decision: idp.Decision{Endpoint: "require_token"}}
	d.SetPlaceholders(r, "http.require_token.")
	return d
}

// challenge is the response to an error (RFC 6750 section 3), without a challenge where no other
// token would help.
func (h *RequireToken) challenge(err error, need *mcp.Need) *oauth.Error {
	e := oauth.AsError(err)
	if e.Status >= http.StatusInternalServerError || e.Status == http.StatusNotFound || e.Code == oauth.AccessDenied {
		return e
	}
	bearer, names := h.bearer, h.scopes().first
	if need != nil && len(need.Scopes) > 0 {
		names = need.Scopes
	}
	bearer.Scope = strings.Join(names, " ")
	return bearer.With(e)
}

// Interface guards
var (
	_ caddy.Provisioner           = (*RequireToken)(nil)
	_ caddy.CleanerUpper          = (*RequireToken)(nil)
	_ caddyhttp.MiddlewareHandler = (*RequireToken)(nil)
)
