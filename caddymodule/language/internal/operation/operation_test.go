package operation

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/admission"
)

const path = "/machine_learning/echo"

func echo(_ context.Context, dst []byte, r Request) ([]byte, error) {
	if r.Format == Plain {
		dst = append(dst, "plain:"...)
	}
	return append(dst, r.Body...), nil
}

// gate lets one request after another pass, and makes none wait.
func gate(maxBody int64) *admission.Gate {
	return admission.NewGate(admission.Limits{MaxConcurrent: 1, MaxBody: maxBody, MaxWait: time.Nanosecond}.WithDefaults())
}

// respond is a [Responder] that sets no header field.
type respond func(ctx context.Context, dst []byte, r Request) ([]byte, error)

// handler responds with r, whatever the query is.
func handler(r respond) Handler {
	return func(string) (Responder, error) {
		return func(ctx context.Context, dst []byte, request Request) (Response, error) {
			body, err := r(ctx, dst, request)
			return Response{Body: body}, err
		}, nil
	}
}

func serve(t *testing.T, o *Operation, r *http.Request, respond respond) *http.Response {
	t.Helper()
	recorder := httptest.NewRecorder()
	o.Serve(recorder, r, handler(respond))
	return recorder.Result()
}

func post(body, contentType string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	return r
}

func readBody(t *testing.T, response *http.Response) string {
	t.Helper()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return string(body)
}

func TestOnlyTheExactPathMatches(t *testing.T) {
	o := New(path, Options{MaxBody: 10, Gate: gate(10)})
	for target, want := range map[string]bool{
		path: true, path + "?classify=true": true,
		path + "/": false, "/machine_learning/ECHO": false, "//machine_learning/echo": false,
		"/machine_learning/%65cho": false, "/machine_learning%2Fecho": false, "/": false,
	} {
		require.Equal(t, want, o.Matches(httptest.NewRequest(http.MethodGet, target, nil)), target)
	}
}

func TestRejectedRequests(t *testing.T) {
	o := New(path, Options{MaxBody: 10, Gate: gate(10)})
	for name, tt := range map[string]struct {
		request    *http.Request
		wantStatus int
		wantHeader [2]string
		wantDetail string
	}{
		"other method":      {httptest.NewRequest(http.MethodGet, path, nil), 405, [2]string{"Allow", "POST"}, "takes POST only, not GET"},
		"HEAD":              {httptest.NewRequest(http.MethodHead, path, nil), 405, [2]string{"Allow", "POST"}, ""},
		"too large":         {post("12345678901", "application/json"), 413, [2]string{}, "larger than the limit of 10 bytes"},
		"form":              {post("a=b", "application/x-www-form-urlencoded"), 415, [2]string{"Accept", "application/json, application/x-ndjson"}, `must be application/json or application/x-ndjson in UTF-8, not "application/x-www-form-urlencoded"`},
		"other charset":     {post("{}", "application/json; charset=latin1"), 415, [2]string{}, "in UTF-8"},
		"broken media type": {post("{}", "application/json;;="), 415, [2]string{}, "must be application/json"},
		"two media types": {func() *http.Request {
			r := post("{}", "application/json")
			r.Header.Add("Content-Type", "text/plain")
			return r
		}(), 415, [2]string{}, "must be application/json"},
		"compressed": {func() *http.Request {
			r := post("x", "application/json")
			r.Header.Set("Content-Encoding", "gzip")
			return r
		}(), 415, [2]string{"Accept-Encoding", "identity"}, "uncompressed"},
		"body that ends before its length": {func() *http.Request {
			r := post("{}", "application/json")
			r.Body, r.ContentLength = io.NopCloser(r.Body), 3 // as quic-go has it
			return r
		}(), 400, [2]string{}, "ended early"},
		"cut off body": {httptest.NewRequest(http.MethodPost, path, io.MultiReader(strings.NewReader("{"), failingReader{})), 400, [2]string{}, "ended early"},
	} {
		t.Run(name, func(t *testing.T) {
			response := serve(t, o, tt.request, func(context.Context, []byte, Request) ([]byte, error) {
				t.Error("a rejected request must not reach the handler")
				return nil, nil
			})
			require.Equal(t, tt.wantStatus, response.StatusCode)
			require.Equal(t, "application/problem+json", response.Header.Get("Content-Type"))
			if tt.wantHeader[0] != "" {
				require.Equal(t, tt.wantHeader[1], response.Header.Get(tt.wantHeader[0]))
			}
			var problem struct {
				Type, Title, Detail string
				Status              int
			}
			require.NoError(t, json.Unmarshal([]byte(readBody(t, response)), &problem, json.MatchCaseInsensitiveNames(true)))
			require.Equal(t, "about:blank", problem.Type)
			require.Equal(t, http.StatusText(tt.wantStatus), problem.Title)
			require.Equal(t, tt.wantStatus, problem.Status)
			require.Contains(t, problem.Detail, tt.wantDetail)
		})
	}
}

// failingReader is the end of a body that is cut off.
type failingReader struct{ cancel func() }

func (f failingReader) Read([]byte) (int, error) {
	if f.cancel != nil {
		f.cancel()
	}
	return 0, io.ErrUnexpectedEOF
}

func TestARequestThatWaitedInVainIs503(t *testing.T) {
	o := New(path, Options{MaxBody: 10, Gate: gate(10)})
	serve(t, o, post("", ""), func(_ context.Context, dst []byte, _ Request) ([]byte, error) {
		response := serve(t, o, post("", ""), echo)
		require.Equal(t, http.StatusServiceUnavailable, response.StatusCode)
		require.Equal(t, "1", response.Header.Get("Retry-After"))
		return dst, nil
	})
	require.Equal(t, http.StatusOK, serve(t, o, post("", ""), echo).StatusCode, "the place is free again")
}

// net/http would send an empty 200 if nothing was written.
func TestAClientThatLeftIs499(t *testing.T) {
	o := New(path, Options{MaxBody: 10, Gate: gate(10)})
	ctx, cancel := context.WithCancel(t.Context())
	recorder := httptest.NewRecorder()
	o.Serve(recorder, post("", "").WithContext(ctx), handler(func(ctx context.Context, dst []byte, _ Request) ([]byte, error) {
		cancel()
		return dst, ctx.Err()
	}))
	require.Equal(t, 499, recorder.Code)
	require.Contains(t, recorder.Body.String(), `"title":"Client Closed Request"`)
}

func TestARequestThatWasResetBeforeItBeganIsNotRead(t *testing.T) {
	o := New(path, Options{MaxBody: 10, Gate: gate(10)})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	body := strings.NewReader("1234567890")
	request := httptest.NewRequestWithContext(ctx, http.MethodPost, path, body)
	response := serve(t, o, request, func(context.Context, []byte, Request) ([]byte, error) {
		t.Error("it is worked on")
		return nil, nil
	})
	require.Equal(t, 499, response.StatusCode)
	require.Equal(t, 10, body.Len(), "bytes that are left")
	require.NotEmpty(t, readBody(t, response), "the connection may be closed in one direction only")
}

func TestNothingIsWrittenToAStreamThatWasReset(t *testing.T) {
	o := New(path, Options{MaxBody: 10, Gate: gate(10)})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	request := httptest.NewRequestWithContext(ctx, http.MethodPost, path, strings.NewReader("{}"))
	request.ProtoMajor = 2
	response := serve(t, o, request, echo)
	require.Equal(t, 499, response.StatusCode)
	require.Empty(t, readBody(t, response))
	require.Empty(t, response.Header)
}

func TestLargeBuffersAreNotKept(t *testing.T) {
	o := New(path, Options{MaxBody: 4 * keepBuffer, Gate: gate(4 * keepBuffer)})
	body := bytes.Repeat([]byte("x"), 2*keepBuffer)
	response := serve(t, o, post(string(body), ""), echo)
	require.Equal(t, string(body), readBody(t, response))
	require.LessOrEqual(t, cap(*responses.Get().(*[]byte)), keepBuffer)
	require.Equal(t, admission.FirstPiece, cap(*firstPieces.Get().(*[]byte)))
}
