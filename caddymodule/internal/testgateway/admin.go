package testgateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"
)

// Get asks the admin API. Another status than 200 is an error.
func (p *Process) Get(path string) ([]byte, error) { return p.ask(http.MethodGet, path, "", nil) }

// Reload loads a Caddyfile, as `caddy reload` does. force loads it even if it is
// what runs already. What Caddy says against it is the error, and the configuration
// before it goes on.
func (p *Process) Reload(caddyfile string, force bool) error {
	header := http.Header{"Content-Type": {"text/caddyfile"}}
	if force {
		header.Set("Cache-Control", "must-revalidate")
	}
	_, err := p.ask(http.MethodPost, "/load", caddyfile, header)
	return err
}

// answerTime is how long the admin API may take for an answer. A configuration
// loads in milliseconds.
const answerTime = 15 * time.Second

// ask sends a request, again if its connection was dropped or is left waiting: each
// configuration has a new socket of the admin API, and who waits at the old one
// may get no answer. Caddy does so without the gateway, too. What is asked here can be asked twice.
func (p *Process) ask(method, path, body string, header http.Header) ([]byte, error) {
	for tries := 0; ; tries++ {
		said, err := p.askOnce(method, path, body, header)
		dropped := errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, context.DeadlineExceeded)
		if !dropped || tries == 5 {
			return said, err
		}
		select {
		case <-p.ended:
			return said, err
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (p *Process) askOnce(method, path, body string, header http.Header) ([]byte, error) {
	transport := &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", p.socket())
		},
		DisableKeepAlives: true, // a connection that is kept would count among the descriptors
	}
	ctx, cancel := context.WithTimeout(context.Background(), answerTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, "http://caddy"+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	if header != nil {
		request.Header = header
	}
	response, err := transport.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	said, err := io.ReadAll(response.Body)
	var failure struct {
		Error string `json:"error"`
	}
	switch {
	case err != nil || response.StatusCode == http.StatusOK:
		return said, err
	case json.Unmarshal(said, &failure) == nil && failure.Error != "":
		return said, errors.New(failure.Error)
	}
	return said, fmt.Errorf("the admin API responded with status %d: %s", response.StatusCode, said)
}
