package language_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language"
)

// TestClientsThatLeave leaves segmentations in mid-upload, in mid-inference and in mid-answer, in every way, where there is
// memory for one of them and one is worked on at a time: after each the next one gets its answer, and nothing remains.
func TestClientsThatLeave(t *testing.T) {
	language.Tighten(t, 80_000, 1, 112_000, time.Minute)
	gateway := testgateway.Run(t, testgateway.Config{
		Servers: "protocols h1 h2c", Site: "text_segmentation {\nmax_body 80KB\n}",
	})
	message := messageOf(t, 66<<10)
	next := func() {
		response, body := post(t, gateway.URL()+segmentationPath, message)
		require.Equal(t, http.StatusOK, response.StatusCode, body)
	}
	next()
	before := runtime.NumGoroutine()

	const inUpload, inInference, inAnswer = "in mid-upload", "in mid-inference", "in mid-answer"
	// Within this time an inference begins, or ends, or does not.
	pauses := []time.Duration{0, 5 * time.Millisecond}
	overTCP := func(reads bool, leave func(*net.TCPConn) error) func(*testing.T, string, time.Duration) {
		return func(t *testing.T, when string, pause time.Duration) {
			conn := dial(t, gateway)
			if !reads { // so that the answer does not fit
				require.NoError(t, conn.SetReadBuffer(4<<10))
			}
			sent := message
			if when == inUpload {
				sent = message[:len(message)/2]
			}
			_, err := io.WriteString(conn, requestOf(gateway, segmentationPath, sent, len(message)))
			require.NoError(t, err)
			if when == inAnswer {
				_, err := conn.Read(make([]byte, 1))
				require.NoError(t, err)
			}
			time.Sleep(pause)
			require.NoError(t, leave(conn))
		}
	}
	ways := map[string]func(*testing.T, string, time.Duration){
		"closes the connection":              overTCP(false, func(c *net.TCPConn) error { return c.Close() }),
		"resets the connection":              overTCP(false, func(c *net.TCPConn) error { return errors.Join(c.SetLinger(0), c.Close()) }),
		"closes its half, reads, and closes": overTCP(true, func(c *net.TCPConn) error { return errors.Join(c.CloseWrite(), drain(c), c.Close()) }),
		"resets the stream (HTTP/2)": func(t *testing.T, when string, pause time.Duration) {
			conn := dial(t, gateway)
			transport := testgateway.HTTP2(func(context.Context, string, string) (net.Conn, error) { return conn, nil })
			defer conn.Close()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var body io.Reader = strings.NewReader(message)
			if when == inUpload {
				reader, writer := io.Pipe()
				defer writer.Close()
				go func() { _, _ = io.WriteString(writer, message[:len(message)/2]) }()
				body = reader
			}
			r, err := http.NewRequestWithContext(ctx, http.MethodPost, gateway.URL()+segmentationPath, body)
			require.NoError(t, err)
			r.ContentLength = int64(len(message))
			r.Header.Set("Content-Type", "application/json")
			if when != inAnswer {
				time.AfterFunc(pause, cancel)
			}
			response, err := transport.RoundTrip(r)
			if err != nil {
				require.NotEqual(t, inAnswer, when)
				return
			}
			_, _ = response.Body.Read(make([]byte, 1)) // what comes of it is not what is asked here
			cancel()
			_ = response.Body.Close()
		},
	}
	for way, leave := range ways {
		for _, when := range []string{inUpload, inInference, inAnswer} {
			t.Run(way+" "+when, func(t *testing.T) {
				for _, pause := range pauses {
					leave(t, when, pause)
				}
				next()
			})
		}
	}
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	const kept = 5 // of connections that end by themselves
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= before+kept }, time.Minute, 50*time.Millisecond,
		"%d goroutines, before it were %d", runtime.NumGoroutine(), before)
}

// drain reads what comes until the other side closes.
func drain(c net.Conn) error {
	_, err := io.Copy(io.Discard, c)
	return err
}
