package body_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"github.com/identity-gateway/caddy-identity-gateway/idp/body"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
)

func TestABodyIsReadToItsTrueEnd(t *testing.T) {
	tooLarge := func(limit int64) error { return &http.MaxBytesError{Limit: limit} }
	for name, tt := range map[string]struct {
		content  string
		end      error // io.EOF if nil
		declared int64
		limit    int64
		left     bool // the request's context has ended
		want     error
	}{
		"empty":                                {declared: 0, limit: 3},
		"of the declared length":               {content: "abc", declared: 3, limit: 3},
		"without a declared length":            {content: "abc", declared: -1, limit: 3},
		"without a limit":                      {content: strings.Repeat("a", 100_000), declared: -1, limit: body.Unlimited},
		"shorter than declared (HTTP/3)":       {content: "abc", declared: 4, limit: 10, want: io.ErrUnexpectedEOF},
		"declared, and nothing comes (HTTP/3)": {declared: 1, limit: 10, want: io.ErrUnexpectedEOF},
		"declared larger than the limit":       {content: "abc", declared: 4, limit: 3, want: tooLarge(3)},
		"larger than the limit":                {content: "abcd", declared: -1, limit: 3, want: tooLarge(3)},
		"larger than request_body allows":      {content: "abc", end: tooLarge(3), declared: -1, limit: 10, left: true, want: tooLarge(3)},
		"cut, and the client may wait":         {content: "abc", end: io.ErrUnexpectedEOF, declared: 4, limit: 10, left: true, want: io.ErrUnexpectedEOF},
		"too slow, and the client waits":       {content: "abc", end: os.ErrDeadlineExceeded, declared: 4, limit: 10, left: true, want: os.ErrDeadlineExceeded},
		"a stream that was reset":              {content: "abc", end: errors.New("client disconnected"), declared: 4, limit: 10, left: true, want: body.ErrClientGone},
		"anything else":                        {content: "abc", end: errors.ErrUnsupported, declared: 4, limit: 10, want: errors.ErrUnsupported},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if tt.left {
				cancel()
			}
			src := io.Reader(strings.NewReader(tt.content))
			if tt.end != nil {
				src = io.MultiReader(src, iotest.ErrReader(tt.end))
			}
			r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/", iotest.HalfReader(src))
			r.ContentLength = tt.declared
			got, err := body.Append([]byte("before "), body.OfRequest(r, tt.limit))
			if tt.want == nil {
				require.NoError(t, err)
				require.Equal(t, "before "+tt.content, string(got))
				return
			}
			if limit := new(http.MaxBytesError); errors.As(tt.want, &limit) {
				require.Equal(t, tt.want, err)
			} else {
				require.ErrorIs(t, err, tt.want)
			}
			require.Equal(t, errors.Is(tt.want, body.ErrClientGone), errors.Is(err, body.ErrClientGone))
		})
	}
}

func TestWhatIsLargerThanTheLimitIsNotPassedOn(t *testing.T) {
	r := httptest.NewRequest(http.MethodPost, "/", io.MultiReader(strings.NewReader("ab"), strings.NewReader("cdef")))
	r.ContentLength = -1
	src := body.OfRequest(r, 3)
	got, err := body.Append(nil, src)
	require.Equal(t, &http.MaxBytesError{Limit: 3}, err)
	require.Equal(t, "abc", string(got))
	_, err = src.Read(make([]byte, 10))
	require.Error(t, err, "it stays so")
}

func TestABodyIsReadIntoTheMemoryThatItIsGiven(t *testing.T) {
	var asked []int
	got, err := body.AppendWithin(make([]byte, 0, 2), strings.NewReader("abcdefg"), func(have int) (int, error) {
		asked = append(asked, have)
		return have + 3, nil
	})
	require.NoError(t, err)
	require.Equal(t, "abcdefg", string(got))
	require.Equal(t, 8, cap(got))
	require.Equal(t, []int{2, 5}, asked)
}

func TestABodyForWhichThereIsNoMemoryIsNotRead(t *testing.T) {
	src, full := strings.NewReader("abcdefg"), errors.New("full")
	got, err := body.AppendWithin(make([]byte, 0, 2), src, func(int) (int, error) { return 0, full })
	require.Equal(t, full, err)
	require.Equal(t, "ab", string(got))
	require.Equal(t, 5, src.Len(), "bytes that are left")
}

func TestARequestWithoutABodyIsEmpty(t *testing.T) {
	got := must.Have(body.Append(nil, body.OfRequest(&http.Request{}, 3)))(t)
	require.Empty(t, got)
}

func TestAResponseIsReadToItsTrueEnd(t *testing.T) {
	for declared, want := range map[int64]error{-1: nil, 3: nil, 4: io.ErrUnexpectedEOF} {
		_, err := body.Append(nil, body.OfResponse(&http.Response{ContentLength: declared, Body: io.NopCloser(strings.NewReader("abc"))}))
		require.Equal(t, want, err, declared)
	}
}

// What net/http makes of clients that break off.
func TestClientsThatBreakOff(t *testing.T) {
	read := make(chan error, 1)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := body.Append(nil, body.OfRequest(r, 1000))
		read <- err
		http.Error(w, "no", http.StatusBadRequest)
	}))
	server.Config.Protocols = new(http.Protocols)
	server.Config.Protocols.SetHTTP1(true)
	server.Config.Protocols.SetUnencryptedHTTP2(true)
	server.Start()
	defer server.Close()
	const begun = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc"
	for name, tt := range map[string]struct {
		breakOff func(*testing.T, *net.TCPConn)
		want     error
		answered bool
	}{
		"by closing their half of the connection": {func(t *testing.T, c *net.TCPConn) {
			_, err := io.WriteString(c, begun)
			require.NoError(t, errors.Join(err, c.CloseWrite()))
		}, io.ErrUnexpectedEOF, true},
		"in mid-chunk": {func(t *testing.T, c *net.TCPConn) {
			_, err := io.WriteString(c, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc")
			require.NoError(t, errors.Join(err, c.CloseWrite()))
		}, io.ErrUnexpectedEOF, true},
		"by resetting the connection": {func(t *testing.T, c *net.TCPConn) {
			must.Have(io.WriteString(c, "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n"))(t)
			_, err := bufio.NewReader(c).ReadString('\n') // 100 Continue: the body is being read
			require.NoError(t, errors.Join(err, c.SetLinger(0), c.Close()))
		}, body.ErrClientGone, false},
		"by resetting the stream (HTTP/2)": {func(t *testing.T, c *net.TCPConn) {
			begin(t, c, 100)
			framer := http2.NewFramer(c, nil)
			require.NoError(t, errors.Join(framer.WriteData(1, false, []byte("abc")), framer.WriteRSTStream(1, http2.ErrCodeCancel)))
		}, body.ErrClientGone, false},
	} {
		t.Run(name, func(t *testing.T) {
			connection := must.Have(net.Dial("tcp", server.Listener.Addr().String()))(t)
			defer connection.Close()
			require.NoError(t, connection.SetDeadline(time.Now().Add(time.Minute)))
			tt.breakOff(t, connection.(*net.TCPConn))
			require.ErrorIs(t, <-read, tt.want)
			if tt.answered {
				response := must.Have(http.ReadResponse(bufio.NewReader(connection), nil))(t)
				require.Equal(t, http.StatusBadRequest, response.StatusCode)
				require.NoError(t, response.Body.Close())
			}
		})
	}
}

// begin begins a request of HTTP/2 whose body has a declared length.
func begin(t *testing.T, c net.Conn, length int) {
	t.Helper()
	var fields strings.Builder
	encoder := hpack.NewEncoder(&fields)
	for _, field := range [][2]string{{":method", "POST"}, {":scheme", "http"}, {":authority", "a"}, {":path", "/"}, {"content-length", fmt.Sprint(length)}} {
		require.NoError(t, encoder.WriteField(hpack.HeaderField{Name: field[0], Value: field[1]}))
	}
	_, err := io.WriteString(c, http2.ClientPreface)
	framer := http2.NewFramer(c, nil)
	require.NoError(t, errors.Join(err, framer.WriteSettings(),
		framer.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: []byte(fields.String()), EndHeaders: true})))
}
