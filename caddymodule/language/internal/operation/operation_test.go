package operation

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/admission"
	"github.com/identity-gateway/caddy-identity-gateway/idp/cors"
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

func serve(t *testing.T, o *Operation, r *http.Request, handler Handler) *http.Response {
	t.Helper()
	recorder := httptest.NewRecorder()
	require.NoError(t, o.Serve(recorder, r, handler))
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
	o := New([]string{path}, Options{MaxBody: 10, Gate: gate(10)})
	for target, want := range map[string]bool{
		path: true, path + "?classify=true": true,
		path + "/": false, "/machine_learning/ECHO": false, "//machine_learning/echo": false,
		"/machine_learning/%65cho": false, "/machine_learning%2Fecho": false, "/": false,
	} {
		require.Equal(t, want, o.Matches(httptest.NewRequest(http.MethodGet, target, nil)), target)
	}
}

func TestRejectedRequests(t *testing.T) {
	o := New([]string{path}, Options{MaxBody: 10, Gate: gate(10)})
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

func TestAcceptedBodies(t *testing.T) {
	o := New([]string{path}, Options{MaxBody: 10, Gate: gate(10)})
	for name, tt := range map[string]struct {
		request *http.Request
		want    string
	}{
		"JSON":                      {post("{}", "application/json"), "{}"},
		"charset":                   {post("{}", `application/json; charset="UTF-8"`), "{}"},
		"JSON suffix":               {post("{}", "application/vnd.x+json"), "{}"},
		"no media type":             {post("{}", ""), "{}"},
		"exactly the limit":         {post("1234567890", "application/json"), "1234567890"},
		"empty body, any type":      {post("", "text/html"), ""},
		"absent body":               {httptest.NewRequest(http.MethodPost, path, nil), ""},
		"unknown length":            {httptest.NewRequest(http.MethodPost, path, io.MultiReader(strings.NewReader("ab"), strings.NewReader("cd"))), "abcd"},
		"identity content encoding": {func() *http.Request { r := post("x", ""); r.Header.Set("Content-Encoding", "identity"); return r }(), "x"},
	} {
		t.Run(name, func(t *testing.T) {
			response := serve(t, o, tt.request, echo)
			require.Equal(t, http.StatusOK, response.StatusCode)
			require.Equal(t, "application/json", response.Header.Get("Content-Type"))
			require.Equal(t, "no-store", response.Header.Get("Cache-Control"))
			require.Equal(t, tt.want, readBody(t, response))
		})
	}
}

func TestContentNegotiation(t *testing.T) {
	for name, tt := range map[string]struct {
		accept []string
		want   Format
	}{
		"absent":                  {nil, JSON},
		"text":                    {[]string{"text/plain; charset=utf-8"}, Plain},
		"tie":                     {[]string{"text/plain, application/json"}, JSON},
		"neither still gets JSON": {[]string{"image/png"}, JSON},
		"text excluded":           {[]string{"text/plain;q=0"}, JSON},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, tt.want, negotiate(tt.accept)) })
	}
}

func TestProblemsFollowTheFormat(t *testing.T) {
	o := New([]string{path}, Options{MaxBody: 10, Gate: gate(10)})
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
	o := New([]string{path}, Options{MaxBody: 10, Gate: gate(10)})
	recorder := httptest.NewRecorder()
	err := o.Serve(recorder, post("", ""), func(context.Context, []byte, Request) ([]byte, error) {
		return nil, errors.New("a secret of the house")
	})
	require.ErrorContains(t, err, "a secret of the house", "for the log")
	require.Equal(t, http.StatusInternalServerError, recorder.Code)
	require.NotContains(t, recorder.Body.String(), "secret")
}

func TestARequestThatWaitedInVainIs503(t *testing.T) {
	o := New([]string{path}, Options{MaxBody: 10, Gate: gate(10)})
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
	o := New([]string{path}, Options{MaxBody: 10, Gate: gate(10)})
	ctx, cancel := context.WithCancel(t.Context())
	recorder := httptest.NewRecorder()
	require.NoError(t, o.Serve(recorder, post("", "").WithContext(ctx), func(ctx context.Context, dst []byte, _ Request) ([]byte, error) {
		cancel()
		return dst, ctx.Err()
	}))
	require.Equal(t, 499, recorder.Code)
	require.Contains(t, recorder.Body.String(), `"title":"Client Closed Request"`)
}

func TestARequestThatWasResetBeforeItBeganIsNotRead(t *testing.T) {
	o := New([]string{path}, Options{MaxBody: 10, Gate: gate(10)})
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
	o := New([]string{path}, Options{MaxBody: 10, Gate: gate(10)})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	request := httptest.NewRequestWithContext(ctx, http.MethodPost, path, strings.NewReader("{}"))
	request.ProtoMajor = 2
	response := serve(t, o, request, echo)
	require.Equal(t, 499, response.StatusCode)
	require.Empty(t, readBody(t, response))
	require.Empty(t, response.Header)
}

func TestAnUploadThatIsBrokenOffIsCounted(t *testing.T) {
	o := New([]string{path}, Options{MaxBody: 10, Gate: gate(10)})
	r := httptest.NewRequest(http.MethodPost, path, iotest.ErrReader(syscall.ECONNRESET))
	require.Equal(t, 499, serve(t, o, r, echo).StatusCode)
}

// Over HTTP/3 a body that was cut reads as a complete one.
func TestABatchThatEndsBeforeItsLengthSaysSo(t *testing.T) {
	o := New([]string{path}, Options{MaxBody: 10, Gate: gate(10)})
	r := post("{}\n{}", "application/x-ndjson")
	r.ContentLength++
	response := serve(t, o, r, echo)
	require.Equal(t, "{}\n"+
		`{"type":"about:blank","title":"Bad Request","status":400,"detail":"Line 2: The request body ended early."}`+"\n", readBody(t, response))
}

func TestAProblemIsWrittenAlsoIfTheClientHasLeft(t *testing.T) {
	o := New([]string{path}, Options{MaxBody: 10, Gate: gate(10)})
	ctx, cancel := context.WithCancel(t.Context())
	r := httptest.NewRequest(http.MethodPost, path, io.MultiReader(strings.NewReader("{"), failingReader{cancel}))
	recorder := httptest.NewRecorder()
	require.NoError(t, o.Serve(recorder, r.WithContext(ctx), echo))
	require.Equal(t, http.StatusBadRequest, recorder.Code)
	require.Contains(t, recorder.Body.String(), "ended early")
}

func TestCrossOriginRequests(t *testing.T) {
	request := func(method, origin string) *http.Request {
		r := httptest.NewRequest(method, path, nil)
		r.Header.Set("Origin", origin)
		if method == http.MethodOptions {
			r.Header.Set("Access-Control-Request-Method", http.MethodPost)
			r.Header.Set("Access-Control-Request-Headers", "content-type")
		}
		return r
	}
	const app, other = "https://app.example.com", "https://other.example.com"
	for name, tt := range map[string]struct {
		origins    []string
		request    *http.Request
		wantStatus int
		wantAllow  string
	}{
		"preflight of a known origin":    {[]string{app}, request(http.MethodOptions, app), 204, app},
		"request of a known origin":      {[]string{app}, request(http.MethodPost, app), 200, app},
		"any origin":                     {[]string{"*"}, request(http.MethodOptions, other), 204, other},
		"preflight of another origin":    {[]string{app}, request(http.MethodOptions, other), 403, ""},
		"bare OPTIONS":                   {[]string{app}, httptest.NewRequest(http.MethodOptions, path, nil), 405, ""},
		"request of another origin":      {[]string{app}, request(http.MethodPost, other), 200, ""},
		"no origins configured":          {nil, request(http.MethodOptions, app), 403, ""},
		"an origin that begins like one": {[]string{app}, request(http.MethodPost, app+".evil.example"), 200, ""},
	} {
		t.Run(name, func(t *testing.T) {
			origins, err := cors.ParseOrigins(tt.origins)
			require.NoError(t, err)
			response := serve(t, New([]string{path}, Options{MaxBody: 10, Gate: gate(10), Origins: origins}), tt.request, echo)
			require.Equal(t, tt.wantStatus, response.StatusCode)
			require.Equal(t, tt.wantAllow, response.Header.Get("Access-Control-Allow-Origin"))
			require.Empty(t, response.Header.Get("Access-Control-Allow-Credentials"))
			if tt.origins != nil {
				require.Contains(t, response.Header.Values("Vary"), "Origin")
			}
			if tt.wantStatus == http.StatusMethodNotAllowed {
				require.Contains(t, response.Header.Get("Allow"), "POST")
			}
			if tt.wantStatus == http.StatusNoContent {
				require.Equal(t, "POST", response.Header.Get("Access-Control-Allow-Methods"))
				require.Contains(t, response.Header.Get("Access-Control-Allow-Headers"), "Content-Type")
			}
		})
	}
}

func TestFlag(t *testing.T) {
	for query, want := range map[string]bool{
		"": false, "classify=true": true, "classify=false": false, "other=1": false, "other=x&classify=true": true, "cl%61ssify=tru%65": true,
	} {
		got, err := Flag(query, "classify")
		require.NoError(t, err, query)
		require.Equal(t, want, got, query)
	}
	for query, want := range map[string]string{
		"classify":                     `must be true or false, not ""`,
		"classify=":                    `must be true or false, not ""`,
		"classify=1":                   `must be true or false, not "1"`,
		"classify=TRUE":                `must be true or false, not "TRUE"`,
		"classify=true&classify=true":  "is given 2 times",
		"classify=true&cl%61ssify=x":   "is given 2 times",
		"classify=true;classify=false": "can't be parsed",
		"classify=%zz":                 "can't be parsed",
	} {
		_, err := Flag(query, "classify")
		require.ErrorContains(t, err, want, query)
	}
}

func TestLargeBuffersAreNotKept(t *testing.T) {
	o := New([]string{path}, Options{MaxBody: 4 * keepBuffer, Gate: gate(4 * keepBuffer)})
	body := bytes.Repeat([]byte("x"), 2*keepBuffer)
	response := serve(t, o, post(string(body), ""), echo)
	require.Equal(t, string(body), readBody(t, response))
	require.LessOrEqual(t, cap(*responses.Get().(*[]byte)), keepBuffer)
	require.Equal(t, admission.FirstPiece, cap(*firstPieces.Get().(*[]byte)))
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
		handler Handler
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
			o := New([]string{path}, Options{Name: "echo", MaxBody: 10, Gate: gate(10), Refusals: decision.NewLog(zap.New(core))})
			recorder := httptest.NewRecorder()
			_ = o.Serve(recorder, tt.request, tt.handler)
			require.Equal(t, tt.status, recorder.Code)
			require.Equal(t, 1, lines.Len())
			require.Equal(t, map[string]any{
				"reference": recorder.Header().Get("Gateway-Reference"), "endpoint": "echo", "outcome": outcomeOf(tt.status).String(),
				"status": int64(tt.status), "rule": rule,
			}, lines.All()[0].ContextMap())
		})
	}
}

func failsWith(err error) Handler {
	return func(context.Context, []byte, Request) ([]byte, error) { return nil, err }
}
