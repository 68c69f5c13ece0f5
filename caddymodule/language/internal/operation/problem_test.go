package operation

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/admission"
)

func TestProblemsFollowTheFormat(t *testing.T) {
	o := New(path, Options{MaxBody: 10, Gate: gate(10)})
	r := post("", "")
	r.Header.Set("Accept", "text/plain")
	response := serve(t, o, r, func(context.Context, []byte, Request) ([]byte, error) {
		return nil, BadRequest("a rule", errors.New("value is missing"))
	})
	require.Equal(t, http.StatusBadRequest, response.StatusCode)
	require.Equal(t, "text/plain; charset=utf-8", response.Header.Get("Content-Type"))
	require.Equal(t, "value is missing.\n", readBody(t, response))
}

func TestOurOwnFailureIsA500WithoutItsReason(t *testing.T) {
	core, logged := observer.New(zapcore.ErrorLevel)
	o := New(path, Options{Name: "echo", MaxBody: 10, Gate: gate(10), Logger: zap.New(core)})
	response := serve(t, o, post("", ""), failsWith(errors.New("a secret of the house")))
	require.Equal(t, http.StatusInternalServerError, response.StatusCode)
	require.NotContains(t, readBody(t, response), "secret")
	require.Equal(t, 1, logged.Len())
	require.Equal(t, "echo failed", logged.All()[0].Message)
	require.Equal(t, "a secret of the house", logged.All()[0].ContextMap()["error"])
}

// Those that no table of requests shows.
func TestRefusalsThatAreNotTheRequestsFaultAreLogged(t *testing.T) {
	aborted := func() *http.Request {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		return post("{}", "").WithContext(ctx)
	}
	encoded := post("x", "")
	encoded.Header.Set("Content-Encoding", "gzip")
	broken := func(err error) *http.Request {
		return httptest.NewRequest(http.MethodPost, path, iotest.ErrReader(err))
	}
	for rule, tt := range map[string]struct {
		request *http.Request
		respond respond
		status  int
	}{
		"the body is encoded":                                          {encoded, echo, 415},
		"the body ended before its length":                             {broken(io.ErrUnexpectedEOF), echo, 400},
		"the body came too slowly while others waited":                 {broken(os.ErrDeadlineExceeded), echo, 408},
		"the client left before there was a response":                  {aborted(), echo, 499},
		"the server failed":                                            {post("", ""), fails, 500},
		"too many requests are waiting: the queue is full":             {post("", ""), failsWith(admission.ErrQueueFull), 503},
		"too many requests are waiting: no memory was free in time":    {post("", ""), failsWith(admission.ErrNoMemory), 503},
		"too many requests are waiting: no processor was free in time": {post("", ""), failsWith(admission.ErrNoProcessor), 503},
	} {
		t.Run(rule, func(t *testing.T) {
			core, lines := observer.New(zapcore.InfoLevel)
			o := New(path, Options{Name: "echo", MaxBody: 10, Gate: gate(10), Logger: zap.New(core)})
			recorder := httptest.NewRecorder()
			o.Serve(recorder, tt.request, handler(tt.respond))
			require.Equal(t, tt.status, recorder.Code)
			refused := lines.FilterField(zap.String("rule", rule))
			require.Equal(t, 1, refused.Len())
			require.Equal(t, map[string]any{
				"reference": recorder.Header().Get("Gateway-Reference"), "endpoint": "echo", "outcome": outcomes[tt.status],
				"status": int64(tt.status), "rule": rule,
			}, refused.All()[0].ContextMap())
		})
	}
}

func failsWith(err error) respond {
	return func(context.Context, []byte, Request) ([]byte, error) { return nil, err }
}

func TestAProblemIsWrittenAlsoIfTheClientHasLeft(t *testing.T) {
	o := New(path, Options{MaxBody: 10, Gate: gate(10)})
	ctx, cancel := context.WithCancel(t.Context())
	r := httptest.NewRequest(http.MethodPost, path, io.MultiReader(strings.NewReader("{"), failingReader{cancel}))
	recorder := httptest.NewRecorder()
	o.Serve(recorder, r.WithContext(ctx), handler(echo))
	require.Equal(t, http.StatusBadRequest, recorder.Code)
	require.Contains(t, recorder.Body.String(), "ended early")
}
