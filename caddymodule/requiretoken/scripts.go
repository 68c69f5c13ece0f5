package requiretoken

import (
	"net/http"

	"github.com/caddyserver/caddy/v2/modules/caddyhttp"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/anonymous"
	"github.com/identity-gateway/caddy-identity-gateway/idp/body"
	"github.com/identity-gateway/caddy-identity-gateway/idp/cors"
)

// allowScripts lets scripts read a rejection, so that an agent in a browser finds the login: those
// of the configured origins, or else all, without credentials.
func (h *RequireToken) allowScripts(header http.Header, r *http.Request) {
	if h.origins.IsEmpty() {
		h.cors.Open(header)
		return
	}
	h.cors.SetHeader(header, r, h.origins)
}

// servePreflight has the server behind answer a CORS preflight. Where that knows nothing of CORS,
// the answer is that the request may be made, which without a token brings the challenge and
// nothing else: no script sends a token that it does not have.
func (h *RequireToken) servePreflight(w http.ResponseWriter, r *http.Request, next caddyhttp.Handler) error {
	if !h.origins.IsEmpty() && h.origins.Of(r.Header) == "" {
		return h.respond(w, r, next, nil, nil)
	}
	answer := &preflight{ResponseWriterWrapper: caddyhttp.ResponseWriterWrapper{ResponseWriter: w}, allow: func(header http.Header) {
		h.allowScripts(header, r)
		cors.AllowRequest(header)
	}}
	err := h.respond(answer, r, next, nil, nil)
	if err == nil && !answer.begun {
		answer.WriteHeader(http.StatusOK)
	}
	return err
}

// preflight is the response to one.
type preflight struct {
	caddyhttp.ResponseWriterWrapper

	allow      func(http.Header)
	begun, own bool // own: it is not that of the server behind
}

func (p *preflight) WriteHeader(status int) {
	if status < http.StatusOK {
		p.ResponseWriter.WriteHeader(status)
		return
	}
	if p.begun {
		return
	}
	p.begun = true
	if header := p.Header(); header["Access-Control-Allow-Origin"] == nil {
		p.own, status = true, http.StatusNoContent
		for _, field := range [...]string{"Content-Length", "Content-Type", "Content-Encoding", "Transfer-Encoding", "Etag", "Last-Modified", "Www-Authenticate", "Location"} {
			header.Del(field)
		}
		p.allow(header)
	}
	p.ResponseWriter.WriteHeader(status)
}

func (p *preflight) Write(b []byte) (int, error) {
	if !p.begun {
		p.WriteHeader(http.StatusOK)
	}
	if p.own {
		return len(b), nil
	}
	return p.ResponseWriter.Write(b)
}

func (p *preflight) FlushError() error {
	if !p.begun {
		p.WriteHeader(http.StatusOK)
	}
	return http.NewResponseController(p.ResponseWriter).Flush()
}

// reducePreflight removes from a CORS preflight what browsers do not send with one,
// since it passes without a token, and what proxies add unless it comes from a trusted
// one. It reports false if it has a body or an upgrade, and so is none.
func reducePreflight(r *http.Request) bool {
	if r.Header["Upgrade"] != nil || r.Header["Expect"] != nil || !body.IsEmpty(r) {
		return false
	}
	anonymous.RemoveFields(r, "Referer")
	return true
}
