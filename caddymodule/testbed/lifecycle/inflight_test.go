package lifecycle_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
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
	atIdP     []*login   // the user is at the IdP
	returning []*login   // sent back to the callback
	withCode  []*login   // the application has its code
	exchanges chan error // what the exchanges got that are waiting
	release   func()     // lets them go on
	batch     *stream
	upload    *stream
}

const logins = 5 // at each step

// begin begins all of them, and returns when they are where they should be.
func (n *node) begin() *inFlight {
	f := &inFlight{node: n, exchanges: make(chan error, logins)}
	begun := func(steps ...func(*login) error) *login {
		l := n.login()
		for _, step := range steps {
			n.tr.must("beginning a login", step(l))
		}
		return l
	}
	var exchanging []*login
	for range logins {
		f.atIdP = append(f.atIdP, begun((*login).authorize))
		f.returning = append(f.returning, begun((*login).begin))
		f.withCode = append(f.withCode, begun((*login).begin, (*login).callback))
		exchanging = append(exchanging, begun((*login).begin, (*login).callback))
	}
	hold := make(chan struct{})
	n.idp.Change(func(b *testidp.Behavior) { b.TokenOutage = testidp.Outage{Hold: hold} })
	f.release = func() {
		n.idp.Change(func(b *testidp.Behavior) { b.TokenOutage = testidp.Outage{} })
		close(hold)
	}
	for _, l := range exchanging {
		go func() { f.exchanges <- l.exchange() }()
	}
	n.awaitHeld(logins)
	f.batch = n.stream("application/x-ndjson")
	n.tr.must("beginning a batch", f.batch.converse())
	f.upload = n.stream("application/json")
	_, err := io.WriteString(f.upload.body, `{"value":"`+half)
	n.tr.must("beginning an upload", err)
	return f
}

// awaitHeld waits until as many exchanges wait at the IdP.
func (n *node) awaitHeld(exchanges int) {
	n.await("exchanges that reach the IdP", func() error {
		if held := n.idp.Held(); held < exchanges {
			return fmt.Errorf("there are %d", held)
		}
		return nil
	})
}

// finishRequests finishes the requests that are under way, and returns what became of each.
func (f *inFlight) finishRequests() map[string]error {
	became := make(map[string]error)
	for i := range logins {
		became[fmt.Sprint("exchange ", i)] = <-f.exchanges
	}
	if became["a batch"] = f.batch.converse(); became["a batch"] == nil {
		became["a batch"] = f.batch.finish("", "")
	}
	became["an upload"] = f.upload.finish(half+`"}`, "func main")
	return became
}

// complete lets the requests go on, which must succeed.
func (f *inFlight) complete() {
	f.release()
	for what, err := range f.finishRequests() {
		f.node.tr.holds(err == nil, "%s under way: %v", what, err)
	}
}

// finishLogins goes on with the logins, whose next request is a new one.
func (f *inFlight) finishLogins() {
	tr := f.node.tr
	for _, l := range f.atIdP {
		err := inTurn(l.atIdP, l.finish)
		tr.holds(err == nil, "a user who was at the IdP: %v", err)
	}
	for _, l := range f.returning {
		err := l.finish()
		tr.holds(err == nil, "a user on the way to the callback: %v", err)
	}
	for _, l := range f.withCode {
		err := l.exchange()
		tr.holds(err == nil, "an application with a code: %v", err)
	}
}

// half of a message, whose beginning or end is missing.
var half = strings.Repeat("Please look at main.go:\\n\\nfunc main() {}\\n\\n", 250)

// stream is a request to the segmentation whose body is sent bit by bit.
type stream struct {
	body     io.WriteCloser
	answer   chan *http.Response // closed without one if there is none
	received *bufio.Reader       // of the answer's body
}

// stream begins a request. Its body is sent once the server has said that it reads it:
// before, the connection may be one that waits at a socket which is closed.
func (n *node) stream(mediaType string) *stream {
	reader, writer := io.Pipe()
	s := &stream{body: writer, answer: make(chan *http.Response, 1)}
	r, err := http.NewRequestWithContext(n.tr.Context(), http.MethodPost, n.url()+segmentation, reader)
	n.tr.must("making a request", err)
	r.Header.Set("Content-Type", mediaType)
	r.Header.Set("Expect", "100-continue")
	go func() {
		defer close(s.answer)
		response, err := n.client.Do(r)
		if err != nil {
			_ = reader.CloseWithError(err)
			return
		}
		s.answer <- response
	}()
	return s
}

func (s *stream) read() error {
	if s.received != nil {
		return nil
	}
	response, answered := <-s.answer
	switch {
	case !answered:
		return errors.New("there was no answer")
	case response.StatusCode != http.StatusOK:
		return errors.New(response.Status)
	}
	s.received = bufio.NewReader(response.Body)
	return nil
}

// converse sends a line of a batch and waits for its answer.
func (s *stream) converse() error {
	if _, err := io.WriteString(s.body, "{\"value\":\"Just a sentence.\"}\n"); err != nil {
		return err
	}
	if err := s.read(); err != nil {
		return err
	}
	line, err := s.received.ReadString('\n')
	if err == nil && !strings.Contains(line, `"raw":"Just a sentence."`) {
		err = fmt.Errorf("the line was answered by %q", line)
	}
	return err
}

// finish sends the rest of the body, and reads to the end of the answer, in which a text must be.
func (s *stream) finish(rest, want string) error {
	if _, err := io.WriteString(s.body, rest); err != nil {
		return err
	}
	if err := s.body.Close(); err != nil {
		return err
	}
	if err := s.read(); err != nil {
		return err
	}
	answer, err := io.ReadAll(s.received)
	if err == nil && !strings.Contains(string(answer), want) {
		err = fmt.Errorf("the answer is %.100q", answer)
	}
	return err
}
