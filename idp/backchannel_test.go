package idp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/textproto"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/upstream"
)

// countInterim counts the responses before the last one.
func countInterim(ctx context.Context, n *int) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{Got1xxResponse: func(int, textproto.MIMEHeader) error {
		*n++
		return nil
	}})
}

// attempt tells the trace of a request what a transport did.
func attempt(r *http.Request, got, wrote bool) {
	trace := httptrace.ContextClientTrace(r.Context())
	trace.GetConn("idp.example:443")
	if got {
		trace.GotConn(httptrace.GotConnInfo{})
	}
	if wrote {
		trace.WroteHeaders()
	}
}

// A claim is given back exactly if the IdP has certainly not redeemed the code.
func TestWhichFailuresLetTheCodeBeRedeemedAgain(t *testing.T) {
	down := errors.New("down; https://idp.example/token?secret=1")
	for name, tt := range map[string]struct {
		idp      func(*http.Request) (*http.Response, error)
		status   int
		attempts int
		again    bool
	}{
		"the connection is refused": {func(*http.Request) (*http.Response, error) {
			return nil, &net.OpError{Op: "dial", Err: down}
		}, 502, 1, true},
		"no connection comes about": {func(r *http.Request) (*http.Response, error) {
			attempt(r, false, false)
			return nil, down
		}, 502, 1, true},
		"the connection had died, each time": {func(r *http.Request) (*http.Response, error) {
			attempt(r, true, false)
			return nil, down
		}, 502, upstream.MaxConnections, true},
		"the connection dies after the header": {func(r *http.Request) (*http.Response, error) {
			attempt(r, true, true)
			return nil, down
		}, 502, 1, false},
		"a transport says nothing of what it did": {func(*http.Request) (*http.Response, error) { return nil, down }, 502, 1, false},
		"there is no answer": {func(r *http.Request) (*http.Response, error) {
			attempt(r, true, true)
			return nil, context.DeadlineExceeded
		}, 504, 1, false},
		"the answer is cut off": {func(*http.Request) (*http.Response, error) {
			r := idpResponse(200, anyToken)
			r.ContentLength++
			return r, nil
		}, 502, 1, false},
		"the answer is too long": {func(*http.Request) (*http.Response, error) {
			r := idpResponse(200, anyToken+strings.Repeat(" ", upstream.MaxResponse))
			r.ContentLength = -1
			return r, nil
		}, 502, 1, false},
		"another protocol":    {func(*http.Request) (*http.Response, error) { return idpResponse(101, ""), nil }, 502, 1, false},
		"a status of nothing": {func(*http.Request) (*http.Response, error) { return idpResponse(42, ""), nil }, 502, 1, false},
		"the IdP fails":       {func(*http.Request) (*http.Response, error) { return idpResponse(500, ""), nil }, 502, 1, false},
		"not a token":         {func(*http.Request) (*http.Response, error) { return idpResponse(200, "<html>"), nil }, 502, 1, false},
		"a refusal": {func(*http.Request) (*http.Response, error) {
			return idpResponse(400, `{"error":"invalid_grant"}`), nil
		}, 400, 1, true},
		"a refusal with a token": {func(*http.Request) (*http.Response, error) { return idpResponse(400, anyToken), nil }, 502, 1, false},
		"a firewall":             {func(*http.Request) (*http.Response, error) { return idpResponse(403, "<html>"), nil }, 502, 1, true},
		"a token":                {aToken, 200, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServed(t)
			code := s.logIn()
			s.respond(tt.idp)
			result := s.redeem(code)
			require.Equal(t, tt.status, result.Status, string(result.Body))
			require.Len(t, s.sent, tt.attempts)
			require.NotContains(t, string(result.Body), "secret")
			for _, incident := range result.Incidents {
				require.NotContains(t, fmt.Sprint(incident.Err), "secret=1")
			}
			for _, call := range result.Calls {
				require.NotContains(t, fmt.Sprint(call.Err), "secret=1")
			}
			s.respond(aToken)
			want := http.StatusBadRequest
			if tt.again {
				want = http.StatusOK
			}
			require.Equal(t, want, s.redeem(code).Status)
		})
	}
}

func TestWhoLeavesWhileTheIdPThinks(t *testing.T) {
	t.Run("has redeemed his code", func(t *testing.T) {
		s := newServed(t)
		code := s.logIn()
		ctx, leave := context.WithCancel(t.Context())
		s.respond(func(r *http.Request) (*http.Response, error) {
			leave()
			require.NoError(t, r.Context().Err(), "nobody would know whether the code was spent")
			return aToken(r)
		})
		r := s.request("POST", "/oauth/token", form("code", code))
		r.Request = r.WithContext(ctx)
		require.Equal(t, Passed, s.Serve(r).Decision.Outcome)
		require.Equal(t, http.StatusBadRequest, s.redeem(code).Status)
	})
	t.Run("and gets no answer", func(t *testing.T) {
		s := newServed(t)
		ctx, leave := context.WithCancel(t.Context())
		s.respond(func(r *http.Request) (*http.Response, error) {
			leave()
			require.Error(t, r.Context().Err())
			return nil, r.Context().Err()
		})
		r := s.request("GET", "/userinfo", "", "Authorization", "Bearer a")
		r.Request = r.WithContext(ctx)
		result := s.Serve(r)
		require.Equal(t, StatusClientGone, result.Status)
		require.Equal(t, ClientGone, result.Decision.Outcome)
		require.Empty(t, result.Incidents)
	})
}

func TestWhoLeavesInTheMiddleOfHisRequest(t *testing.T) {
	s := newServed(t)
	ctx, leave := context.WithCancel(t.Context())
	r := s.request("POST", "/oauth/token", "grant_type=")
	r.Request = r.WithContext(ctx)
	r.Body = io.NopCloser(&leaving{leave})
	result := s.Serve(r)
	require.Equal(t, StatusClientGone, result.Status)
	require.Equal(t, ClientGone, result.Decision.Outcome)
	require.Nil(t, result.Decision.Refusal)
}

// leaving is the body of a client that leaves.
type leaving struct{ leave func() }

func (l *leaving) Read([]byte) (int, error) {
	l.leave()
	return 0, context.Canceled
}

func TestTheIdPHasLimitedTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServed(t, publicly)
		for name, respond := range map[string]func(*http.Request) (*http.Response, error){
			"for its header": func(r *http.Request) (*http.Response, error) {
				<-r.Context().Done()
				return nil, r.Context().Err()
			},
			"for its body": func(r *http.Request) (*http.Response, error) {
				reader, writer := io.Pipe()
				context.AfterFunc(r.Context(), func() { writer.CloseWithError(r.Context().Err()) })
				response := idpResponse(200, "")
				response.Body, response.ContentLength = reader, -1
				return response, nil
			},
		} {
			start := time.Now()
			s.respond(respond)
			require.Equal(t, http.StatusGatewayTimeout, s.do("GET", "/userinfo", "", "Authorization", "Bearer a").Status, name)
			require.Equal(t, time.Minute, time.Since(start), name)
		}
	})
}

// net/http goes on from one connection to the next as long as a server closes them.
func TestARequestTakesFewConnections(t *testing.T) {
	s := newServed(t, publicly)
	got := 0
	s.respond(func(r *http.Request) (*http.Response, error) {
		for r.Context().Err() == nil && got < 100 {
			attempt(r, true, false)
			got++
		}
		return nil, r.Context().Err()
	})
	result := s.do("GET", "/userinfo", "", "Authorization", "Bearer a")
	require.Equal(t, http.StatusBadGateway, result.Status)
	require.LessOrEqual(t, got, upstream.MaxConnections+1)
	require.ErrorIs(t, result.Incidents[0].Err, upstream.ErrConnections)
}

// What a response has besides status, header and body goes no further.
func TestInterimResponsesAndTrailersStay(t *testing.T) {
	idp, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = idp.Close() })
	go func() {
		for {
			connection, err := idp.Accept()
			if err != nil {
				return
			}
			if r, err := http.ReadRequest(bufio.NewReader(connection)); err == nil {
				_, _ = io.Copy(io.Discard, r.Body)
			}
			_, _ = io.WriteString(connection, "HTTP/1.1 103 Early Hints\r\nLink: </evil>\r\n\r\n"+
				"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Trailer\r\n\r\nb\r\n{\"sub\":\"u\"}\r\n0\r\nX-Trailer: evil\r\n\r\n")
			_ = connection.Close()
		}
	}()
	p, err := NewPolicy(Config{AuthURL: "http://" + idp.Addr().String()})
	require.NoError(t, err)
	g, err := NewGateway(p, Parts{Transport: http.DefaultTransport})
	require.NoError(t, err)
	server := httptest.NewServer(g.Handler(http.NotFoundHandler()))
	t.Cleanup(server.Close)
	interim := 0
	r, err := http.NewRequestWithContext(countInterim(t.Context(), &interim), "GET", server.URL+"/userinfo", nil)
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer a")
	got, err := server.Client().Do(r)
	require.NoError(t, err)
	content, err := io.ReadAll(got.Body)
	require.NoError(t, err)
	require.NoError(t, got.Body.Close())
	require.Equal(t, `200 {"sub":"u"}`, fmt.Sprint(got.StatusCode, " ", string(content)))
	require.Zero(t, interim)
	require.Empty(t, got.Trailer)
}
