package lifecycle_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
)

// patience is how long things may take on a busy machine.
const patience = time.Minute

// inFlight are requests that have begun and are not finished: logins at each of
// their steps, exchanges that the IdP lets wait, a batch in mid-conversation, and
// a message of which half has been sent.
type inFlight struct {
	node      *node
	atIdP     []*Login   // the user is at the IdP
	returning []*Login   // sent back to the callback
	withCode  []*Login   // the application has its code
	exchanges chan error // what the exchanges got that are waiting
	held      int        // how many those are
	release   func()     // lets them go on
	batch     *conversation
	upload    *upload
}

const logins = 5 // at each step

// begin begins all of them, and returns when they are where they should be.
func (n *node) begin() *inFlight {
	f := &inFlight{node: n, exchanges: make(chan error, logins)}
	steps := func(l *Login, steps ...func() error) *Login {
		for _, step := range steps {
			n.tr.must("beginning a login", step())
		}
		return l
	}
	ctx := n.tr.Context()
	for range logins {
		l := n.login()
		f.atIdP = append(f.atIdP, steps(l, func() error { return l.Authorize(ctx) }))
		l2 := n.login()
		f.returning = append(f.returning, steps(l2, func() error { return l2.Begin(ctx) }))
		l3 := n.login()
		f.withCode = append(f.withCode, steps(l3, func() error { return l3.Begin(ctx) }, func() error { return l3.Callback(ctx) }))
	}
	var exchanging []*Login
	for range logins {
		l := n.login()
		exchanging = append(exchanging, steps(l, func() error { return l.Begin(ctx) }, func() error { return l.Callback(ctx) }))
	}
	hold := make(chan struct{})
	n.idp.Change(func(b *testidp.Behavior) { b.TokenOutage = testidp.Outage{Hold: hold} })
	f.release = func() {
		n.idp.Change(func(b *testidp.Behavior) { b.TokenOutage = testidp.Outage{} })
		close(hold)
	}
	for _, l := range exchanging {
		go func() {
			_, err := l.Exchange(ctx)
			f.exchanges <- err
		}()
	}
	f.held = len(exchanging)
	n.awaitHeld(f.held)
	var err error
	f.batch, err = converse(n.address)
	n.tr.must("beginning a batch", err)
	f.upload, err = beginUpload(n.address)
	n.tr.must("beginning an upload", err)
	return f
}

// awaitHeld waits until as many exchanges wait at the IdP.
func (n *node) awaitHeld(exchanges int) {
	for deadline := time.Now().Add(patience); n.idp.Held() < exchanges; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			n.tr.must("beginning exchanges", errors.New("they do not reach the IdP"))
		}
	}
}

// finishRequests finishes the requests that are under way.
func (f *inFlight) finishRequests() {
	tr := f.node.tr
	f.release()
	for range f.held {
		select {
		case err := <-f.exchanges:
			tr.holds(err == nil, "an exchange under way: %v", err)
		case <-time.After(patience):
			tr.Errorf("an exchange under way was not answered within %s", patience)
		}
	}
	if err := f.batch.finish(); err != nil {
		tr.Errorf("a batch under way: %v", err)
	}
	if err := f.upload.finish(); err != nil {
		tr.Errorf("an upload under way: %v", err)
	}
}

// finishLogins goes on with the logins, whose next request is a new one.
func (f *inFlight) finishLogins() {
	tr, ctx := f.node.tr, f.node.tr.Context()
	for _, l := range f.atIdP {
		if err := l.AtIdP(ctx); err != nil {
			tr.Errorf("a user who was at the IdP: %v", err)
			continue
		}
		if _, err := l.Finish(ctx); err != nil {
			tr.Errorf("a user who was at the IdP: %v", err)
		}
	}
	for _, l := range f.returning {
		if _, err := l.Finish(ctx); err != nil {
			tr.Errorf("a user on the way to the callback: %v", err)
		}
	}
	for _, l := range f.withCode {
		if _, err := l.Exchange(ctx); err != nil {
			tr.Errorf("an application with a code: %v", err)
		}
	}
}

// conversation is a batch whose client waits for each answer.
type conversation struct {
	conn  net.Conn
	lines *bufio.Reader // of the answer's body, in chunks
}

// converse sends the first line of a batch and reads its answer.
func converse(address string) (*conversation, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	_ = conn.SetDeadline(time.Now().Add(2 * patience))
	c := &conversation{conn: conn, lines: bufio.NewReader(conn)}
	if _, err := fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n", Segmentation, address); err != nil {
		return nil, err
	}
	if err := c.line(); err != nil {
		return nil, err
	}
	for { // the header
		line, err := c.lines.ReadString('\n')
		if err != nil {
			return nil, err
		}
		if strings.TrimSpace(line) == "" {
			return c, c.answered()
		}
	}
}

// line sends a line of the batch.
func (c *conversation) line() error {
	const line = "{\"value\":\"Just a sentence.\"}\n"
	_, err := fmt.Fprintf(c.conn, "%x\r\n%s\r\n", len(line), line)
	return err
}

// answered reads the answer to a line, which is a chunk of its own.
func (c *conversation) answered() error {
	for range 2 { // its size and itself
		line, err := c.lines.ReadString('\n')
		if err != nil {
			return err
		}
		if strings.Contains(line, `"raw":"Just a sentence."`) {
			_, err := c.lines.ReadString('\n') // the end of the chunk
			return err
		}
	}
	return errors.New("the line was not answered")
}

// finish asks once more, ends the batch and reads to the end of the answer.
func (c *conversation) finish() error {
	defer c.conn.Close()
	if err := c.line(); err != nil {
		return err
	}
	if err := c.answered(); err != nil {
		return err
	}
	if _, err := io.WriteString(c.conn, "0\r\n\r\n"); err != nil {
		return err
	}
	last, err := c.lines.ReadString('\n')
	if err == nil && strings.TrimSpace(last) != "0" {
		err = fmt.Errorf("the answer does not end: %q", last)
	}
	return err
}

// upload is a message of which half has been sent.
type upload struct {
	conn     net.Conn
	received *bufio.Reader
	rest     string
}

// beginUpload sends half of a message once the server has said that it reads it:
// before, the connection may be one that waits at a socket which is closed.
func beginUpload(address string) (*upload, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	_ = conn.SetDeadline(time.Now().Add(2 * patience))
	body := `{"value":"` + strings.Repeat("Please look at main.go:\\n\\nfunc main() {}\\n\\n", 500) + `"}`
	u := &upload{conn, bufio.NewReader(conn), body[len(body)/2:]}
	_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n", Segmentation, address, len(body))
	if err != nil {
		return nil, err
	}
	for line := "x"; strings.TrimSpace(line) != ""; {
		if line, err = u.received.ReadString('\n'); err != nil {
			return nil, err
		}
	}
	_, err = io.WriteString(conn, body[:len(body)/2])
	return u, err
}

func (u *upload) finish() error {
	defer u.conn.Close()
	if _, err := io.WriteString(u.conn, u.rest); err != nil {
		return err
	}
	response, err := http.ReadResponse(u.received, nil)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && (response.StatusCode != http.StatusOK || !strings.Contains(string(body), "func main")) {
		err = fmt.Errorf("status %d: %.100s", response.StatusCode, body)
	}
	return err
}
