package language

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/admission"
	"github.com/identity-gateway/caddy-identity-gateway/idp/body"
	"github.com/identity-gateway/caddy-identity-gateway/segment/prompt"
)

// outcome is what became of a body that was to be read.
type outcome string

const (
	wasRead   outcome = "read"
	empty     outcome = "empty"
	encoded   outcome = "encoded" // compressed, for example
	tooLarge  outcome = "too_large"
	busy      outcome = "busy" // no memory or no processor was free in time
	notJSON   outcome = "not_json"
	noMessage outcome = "no_message" // no field is in it
	unread    outcome = "unread"     // there is more in it than what was read
)

// contained is what the body of a request holds.
type contained struct {
	outcome outcome
	content prompt.Content
}

// contentOf is what the body of r holds. It is read once for all matchers that read it alike.
func (m *MessageContains) contentOf(r *http.Request) (contained, error) {
	if c, ok := caddyhttp.GetVar(r.Context(), m.key).(contained); ok {
		return c, nil
	}
	c, err := m.receive(r)
	if err == nil {
		caddyhttp.SetVar(r.Context(), m.key, c)
		c.show(r)
	}
	return c, err
}

// show sets the placeholders.
func (c *contained) show(r *http.Request) {
	replacer, ok := r.Context().Value(caddy.ReplacerCtxKey).(*caddy.Replacer)
	if !ok {
		return
	}
	languages := make([]string, len(c.content.Languages))
	for i, language := range c.content.Languages {
		languages[i] = language.String()
	}
	replacer.Set("http.message.outcome", string(c.outcome))
	replacer.Set("http.message.languages", strings.Join(languages, ","))
	replacer.Set("http.message.code_lines", strconv.Itoa(c.content.CodeLines))
	replacer.Set("http.message.code_share", strconv.FormatFloat(c.content.CodeShare(), 'f', 2, 64))
}

// receive reads the body of r, and leaves it to be read again.
func (m *MessageContains) receive(r *http.Request) (contained, error) {
	switch encoding, upgrade := r.Header.Get("Content-Encoding"), r.Header.Get("Upgrade"); {
	case upgrade != "" && !strings.EqualFold(upgrade, "h2c"), r.Method == http.MethodConnect: // what follows is no body
		return contained{outcome: unread}, nil
	case r.Body == nil, r.Body == http.NoBody, r.ContentLength == 0:
		return contained{outcome: empty}, nil
	case encoding != "" && !strings.EqualFold(encoding, "identity"):
		return contained{outcome: encoded}, nil
	case r.ContentLength > m.MaxSize:
		return contained{outcome: tooLarge}, nil
	}
	admitted, err := m.gate.Admit(r.Context(), r.ContentLength, uncounted{})
	if err != nil {
		return failed(r, err)
	}
	release := sync.OnceFunc(admitted.Release)
	defer func() { context.AfterFunc(r.Context(), release) }() // its body may never be read again
	message, err := m.buffer(r, admitted)
	r.Body = &passedOn{received: message, rest: r.Body, release: release}
	if err != nil {
		return failed(r, err)
	}
	var content prompt.Content
	err = admitted.Work(r.Context(), admission.Effort(message), func(ctx context.Context) (err error) {
		content, err = m.contentIn(ctx, r.Header.Get("Content-Type"), message)
		return err
	})
	if err != nil {
		return failed(r, err)
	}
	if content.Unread {
		return contained{unread, content}, nil
	}
	return contained{wasRead, content}, nil
}

// contentIn is what a whole body holds. Servers differ in whether they read JSON that is said to be text.
func (m *MessageContains) contentIn(ctx context.Context, contentType string, message []byte) (prompt.Content, error) {
	read, err := prompt.Read(ctx, message, m.fields)
	isText := errors.Is(err, prompt.ErrNotJSON) || errors.Is(err, prompt.ErrNoMessage)
	if mediaType, _, _ := mime.ParseMediaType(contentType); mediaType != "text/plain" || err != nil && !isText {
		return read, err
	}
	content, err := prompt.Count(ctx, []string{string(message)})
	content.Unread = read.Unread || !utf8.Valid(message) || bytes.IndexByte(message, 0) >= 0
	content.CodeLines += read.CodeLines
	content.TextLines += read.TextLines
	for _, language := range read.Languages {
		if !slices.Contains(content.Languages, language) {
			content.Languages = append(content.Languages, language)
		}
	}
	return content, err
}

var (
	errTooLarge = errors.New("the body is larger than max_size")
	errSlow     = errors.New("the body came too slowly while others waited")
)

// buffer reads the body of r, as far as there is memory. On failure, too, it returns what there was.
func (m *MessageContains) buffer(r *http.Request, a *admission.Admission) (message []byte, err error) {
	source := r.Body
	var slow sync.Once
	wasCut := false
	cut := func() { slow.Do(func() { wasCut = true; cutOff(r, source) }) }
	err = a.Transfer(cut, func() (err error) {
		message, err = body.AppendWithin(nil, a.Reader(body.OfRequest(r, body.Unlimited)), func(have int) (int, error) {
			if int64(have) > m.MaxSize {
				return 0, errTooLarge
			}
			return a.Grow(r.Context(), have)
		})
		return err
	})
	slow.Do(func() {}) // it can't be cut from here on
	if err != nil && wasCut {
		err = errSlow
	}
	return message, err
}

// connectionKey is where the context of a request has its connection.
type connectionKey struct{}

// keepConnections has the contexts of requests at the server of ctx have their connections.
func keepConnections(ctx caddy.Context) {
	if server, ok := ctx.Value(caddyhttp.ServerCtxKey).(*caddyhttp.Server); ok {
		server.RegisterConnContext(func(ctx context.Context, conn net.Conn) context.Context {
			if ctx.Value(connectionKey{}) != nil {
				return ctx // another matcher has kept it
			}
			return context.WithValue(ctx, connectionKey{}, conn)
		})
	}
}

// cutOff has what reads the body of r fail. Over HTTP/1 the connection goes: to answer on it, the server would read on.
func cutOff(r *http.Request, source io.Closer) {
	if conn, ok := r.Context().Value(connectionKey{}).(net.Conn); ok && r.ProtoMajor == 1 {
		source = conn // to close the body would wait for what reads it
	}
	go source.Close() // TLS says good-bye
}

// failed is what is known of a request after err. A request whose body ended in vain has no other use: its error is what Caddy
// responds with.
func failed(r *http.Request, err error) (contained, error) {
	var tooMany *http.MaxBytesError
	for is, outcome := range map[error]outcome{admission.ErrBusy: busy, errTooLarge: tooLarge, prompt.ErrNotJSON: notJSON, prompt.ErrNoMessage: noMessage} {
		if errors.Is(err, is) {
			return contained{outcome: outcome}, nil
		}
	}
	switch {
	case errors.Is(err, errSlow), errors.Is(err, os.ErrDeadlineExceeded):
		return contained{}, caddyhttp.Error(http.StatusRequestTimeout, err)
	case errors.As(err, &tooMany): // by Caddy's request_body
		return contained{}, caddyhttp.Error(http.StatusRequestEntityTooLarge, err)
	case errors.Is(err, body.ErrClientGone), r.Context().Err() != nil && !errors.Is(err, io.ErrUnexpectedEOF):
		return contained{}, caddyhttp.Error(decision.StatusClientGone, err)
	}
	return contained{}, caddyhttp.Error(http.StatusBadRequest, err)
}

// passedOn is a body that was read, and begins anew.
type passedOn struct {
	received []byte
	rest     io.ReadCloser // what was not read
	release  func()        // the memory of received
}

// Read implements io.Reader.
func (p *passedOn) Read(dst []byte) (int, error) {
	if len(p.received) == 0 {
		p.received = nil
		p.release()
		return p.rest.Read(dst)
	}
	n := copy(dst, p.received)
	p.received = p.received[n:]
	return n, nil
}

// Close implements io.Closer.
func (p *passedOn) Close() error { return p.rest.Close() }

// uncounted is an [admission.Counter].
type uncounted struct{}

func (uncounted) Inc() {}
func (uncounted) Dec() {}
