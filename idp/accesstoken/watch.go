package accesstoken

import (
	"context"
	"crypto/tls"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// shortestWait is how long a request under way is not checked again, whatever
// [Config].CacheTTL is.
const shortestWait = time.Second

// Watch checks the token of a request again for as long as the request is under way: a
// WebSocket or an event stream may go on for days.
type Watch struct {
	verifier *Verifier
	ctx      context.Context
	raw      string // the token
	tls      *tls.ConnectionState
	holds    func(*Token) error
	end      func(error)

	mu      sync.Mutex
	timer   *time.Timer // nil once it has ended or was stopped
	expires time.Time   // with what clocks may be apart, zero if that is not known
}

// Watch calls end, once, when a request that was let in with a token would not be any more: the
// token has expired, or the check that is due each [Config].CacheTTL rejects it, or holds, which
// may be nil, does. An issuer that can't be asked ends nothing, but the end that it gave.
// The request's context is that of its checks. A proof is not looked for again: it is
// of the request. The caller stops what Watch returns.
func (v *Verifier) Watch(r *http.Request, token *Token, holds func(*Token) error, end func(error)) *Watch {
	w := &Watch{verifier: v, ctx: r.Context(), raw: v.raw(r.Header), tls: r.TLS, holds: holds, end: end}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.expires = v.endOf(token)
	w.timer = time.AfterFunc(w.wait(), w.check)
	return w
}

// Stop ends the checks. When it has returned, end is not running, and will not run.
func (w *Watch) Stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil {
		w.timer.Stop()
		w.timer = nil
	}
}

// wait is the time until the next check.
func (w *Watch) wait() time.Duration {
	wait := max(w.verifier.config.CacheTTL, shortestWait)
	if w.verifier.config.Ended != nil { // which asks nobody
		wait = shortestWait
	}
	if !w.expires.IsZero() {
		wait = min(wait, max(w.expires.Sub(w.verifier.config.Now()), 0))
	}
	return wait
}

func (w *Watch) check() {
	token, err := w.verifier.again(w.ctx, w.raw, w.tls, w.holds)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer == nil {
		return
	}
	if err == nil {
		w.expires = w.verifier.endOf(token)
	}
	rejected := err != nil && oauth.AsError(err).Status < http.StatusInternalServerError
	if expired := !w.expires.IsZero() && !w.verifier.config.Now().Before(w.expires); expired && !rejected {
		rejected, err = true, bearer.BadToken("RFC 9068 section 4", "the access token has expired")
	}
	if !rejected {
		w.timer.Reset(w.wait())
		return
	}
	w.timer = nil
	w.end(err)
}

// endOf is when a token that is good expires, zero if that is not known.
func (v *Verifier) endOf(t *Token) time.Time {
	if t.Expires.IsZero() || v.config.Gateway != nil { // whose clock this is
		return t.Expires
	}
	return t.Expires.Add(ClockSkew)
}

// raw is the token of a request that was let in: its form was checked then.
func (v *Verifier) raw(header http.Header) string {
	if v.config.Source == (bearer.Source{}) {
		_, token, _ := strings.Cut(header.Get("Authorization"), " ")
		return token
	}
	token, _, _ := v.config.Source.Token(header)
	return token
}

// again checks the token of a request once more.
func (v *Verifier) again(ctx context.Context, raw string, state *tls.ConnectionState, holds func(*Token) error) (*Token, error) {
	v, err := v.of(raw)
	if err != nil {
		return nil, err
	}
	token, err := v.checked(ctx, raw, clientcert.Of(state))
	if err == nil && holds != nil {
		err = holds(token)
	}
	return token, err
}
