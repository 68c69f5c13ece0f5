package requiretoken

import (
	"fmt"
	"maps"
	"net/http"
	"net/textproto"
	"slices"
	"strings"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"golang.org/x/net/http/httpguts"

	"github.com/identity-gateway/caddy-identity-gateway/idp/accesstoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/paths"
)

// userPrefix begins the placeholders of the user, as those of Caddy's own
// authentication do. Caddy's access log takes user_id from them.
const userPrefix = "http.auth.user."

// userVar holds the token of the last require_token that a request has passed. A function
// in the replacer can't be replaced.
const userVar = "require_token.user"

// setUser sets the placeholders for the handlers that follow. A claim that the
// token does not have is empty: a placeholder that is unknown would stand in a
// header field as it is.
func setUser(r *http.Request, token *accesstoken.Token) {
	replacer, ok := r.Context().Value(caddy.ReplacerCtxKey).(*caddy.Replacer)
	if !ok { // in tests that call a handler by itself
		return
	}
	replacer.Set(userPrefix+"id", token.Claim("sub"))
	caddyhttp.SetVar(r.Context(), userVar, token)
	replacer.Map(func(key string) (any, bool) {
		claim, ok := strings.CutPrefix(key, userPrefix)
		if !ok {
			return nil, false
		}
		return caddyhttp.GetVar(r.Context(), userVar).(*accesstoken.Token).Claim(claim), true
	})
}

// notFromClaims are the fields that say whose a request is, where it goes and where it
// ends, folded.
var notFromClaims = map[string]bool{
	"authorization": true, "host": true, "content-length": true, "connection": true,
	"keep-alive": true, "te": true, "trailer": true, "transfer-encoding": true, "upgrade": true,
}

// foldHeaders checks the fields that are made from the token, and returns them by
// [paths.FoldField].
func (h *RequireToken) foldHeaders() (map[string]string, error) {
	folded := make(map[string]string, len(h.Headers)+1)
	for _, field := range slices.Sorted(maps.Keys(h.Headers)) {
		claim, name := h.Headers[field], paths.FoldField(field)
		switch other := folded[name]; {
		case !httpguts.ValidHeaderFieldName(field) || claim == "":
			return nil, fmt.Errorf("header: %q is not the name of a header field, or has no claim", field)
		case strings.HasPrefix(claim, "X-") && !strings.Contains(field, "-"): // the other way round, the client's own X-User would pass
			return nil, fmt.Errorf("header: the field goes before the claim: header %s %s", claim, field)
		case other != "":
			return nil, fmt.Errorf("header: %s and %s are one field", other, field)
		case notFromClaims[name]:
			return nil, fmt.Errorf("header: %s can't be made of a claim", field)
		}
		folded[name] = field
	}
	if h.UpstreamToken == "" {
		return folded, nil
	}
	name := paths.FoldField(h.UpstreamToken)
	switch {
	case !httpguts.ValidHeaderFieldName(h.UpstreamToken) || notFromClaims[name] && name != "authorization":
		return nil, fmt.Errorf("upstream_token: %q is not a header field that it can have, such as X-Upstream-Token", h.UpstreamToken)
	case folded[name] != "":
		return nil, fmt.Errorf("upstream_token: %s and header %s are one field", h.UpstreamToken, folded[name])
	}
	folded[name] = h.UpstreamToken
	return folded, nil
}

// isPublic reports whether a request needs no token.
func (h *RequireToken) isPublic(r *http.Request) bool { return len(h.public) > 0 && has(h.public, r) }

// isElsewhere reports a request that is not plainly for one of Paths.
func (h *RequireToken) isElsewhere(r *http.Request) bool { return len(h.own) > 0 && !has(h.own, r) }

func has(of paths.Public, r *http.Request) bool {
	original := r.Context().Value(caddyhttp.OriginalRequestCtxKey).(http.Request)
	return of.Has(r.URL.EscapedPath(), original.URL.EscapedPath(), r.Header)
}

// notHere rejects a request that no server of the host is for, or nobody knows which.
func notHere() *oauth.Error {
	e := oauth.Reject(oauth.InvalidRequest, "RFC 9110 section 15.5.5", "no server of this host has this path, or some would read it as another one")
	e.Status = http.StatusNotFound
	return e
}

// removeHeaders removes what only the token may say, and other spellings of the field that it is in.
func (h *RequireToken) removeHeaders(header http.Header) {
	for folded := range h.folded {
		for sent := range header {
			if paths.IsField(sent, folded) && sent != "Authorization" { // which is checked first
				delete(header, sent)
			}
		}
	}
	for sent := range header {
		if from := h.TokenFrom.Header; from != "" && paths.IsField(sent, paths.FoldField(from)) && !strings.EqualFold(sent, from) {
			delete(header, sent)
		}
	}
}

// keepFields takes the fields that the servers behind rely on out of Connection, by
// which a client would have a proxy remove them (RFC 9110 section 7.6.1).
func (h *RequireToken) keepFields(header http.Header) {
	for i, value := range header["Connection"] {
		kept := make([]string, 0, 4)
		for option := range strings.SplitSeq(value, ",") {
			if option = textproto.TrimString(option); !h.isRelied(option) {
				kept = append(kept, option)
			}
		}
		header["Connection"][i] = strings.Join(kept, ", ")
	}
}

// isRelied reports the fields that a client cannot do without here.
func (h *RequireToken) isRelied(field string) bool {
	for _, own := range h.folded {
		if strings.EqualFold(own, field) {
			return true
		}
	}
	return strings.EqualFold(field, "Authorization") || h.TokenFrom.Header != "" && strings.EqualFold(field, h.TokenFrom.Header) ||
		h.TokenFrom.Cookie != "" && strings.EqualFold(field, "Cookie")
}

// setHeaders sets the fields from the token. A claim that can't stand in a field is
// left out.
func (h *RequireToken) setHeaders(header http.Header, token *accesstoken.Token) {
	if h.folded["authorization"] != "" {
		header.Del("Authorization") // the agent's
	}
	for field, claim := range h.Headers {
		if value := token.Claim(claim); value != "" && httpguts.ValidHeaderFieldValue(value) {
			header[textproto.CanonicalMIMEHeaderKey(field)] = []string{value}
		}
	}
	if h.UpstreamToken == "" || token.Upstream == "" {
		return
	}
	field, value := textproto.CanonicalMIMEHeaderKey(h.UpstreamToken), token.Upstream
	if field == "Authorization" {
		value = "Bearer " + value
	}
	header[field] = []string{value}
}
