package language_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	_ "github.com/caddyserver/caddy/v2/modules/caddyhttp/standard"
	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/contract"
)

// startSite runs a real Caddy with the site.
func startSite(t *testing.T, site string) *testgateway.Gateway {
	t.Helper()
	return testgateway.Run(t, testgateway.Config{Site: site})
}

// dial opens a connection on which nothing takes longer than half a minute.
func dial(t *testing.T, gateway *testgateway.Gateway) *net.TCPConn {
	t.Helper()
	conn, err := net.Dial("tcp", gateway.Address())
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(30*time.Second)))
	return conn.(*net.TCPConn)
}

// open opens a connection and sends the beginning of a request on it.
func open(t *testing.T, gateway *testgateway.Gateway, text string) *net.TCPConn {
	t.Helper()
	conn := dial(t, gateway)
	_, err := io.WriteString(conn, text)
	require.NoError(t, err)
	return conn
}

// requestOf is a request with length as its Content-Length, whatever the body has.
func requestOf(gateway *testgateway.Gateway, target, body string, length int) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		target, gateway.Address(), length, body)
}

func readResponse(t *testing.T, conn io.Reader) (*http.Response, string) {
	t.Helper()
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	return whole(t, response, err)
}

// exchange sends a request and reads its response.
func exchange(t *testing.T, r *http.Request) (*http.Response, string) {
	t.Helper()
	response, err := http.DefaultTransport.RoundTrip(r)
	return whole(t, response, err)
}

// post sends JSON and reads the response.
func post(t *testing.T, url, body string) (*http.Response, string) {
	t.Helper()
	response, err := http.Post(url, "application/json", strings.NewReader(body))
	return whole(t, response, err)
}

// whole is a response with its body.
func whole(t *testing.T, response *http.Response, err error) (*http.Response, string) {
	t.Helper()
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response, string(body)
}

// messageOf is the JSON of a message of about size bytes.
func messageOf(t *testing.T, size int) string {
	t.Helper()
	const sample = "Look at this, it fails every other time:\n\n    for i in range(10):\n        print(i, i * i)\n\nand I do not know why.\n\n"
	body, err := json.Marshal(map[string]string{"value": strings.Repeat(sample, 1+size/len(sample))})
	require.NoError(t, err)
	return string(body)
}

// A client that has nothing more to send may close its half of the connection, as `nc -N` does. net/http cancels the request's
// context then, and responds with an empty 200 if a handler writes nothing.
func TestAHalfClosedConnectionNeverGetsAnEmpty200(t *testing.T) {
	gateway := startSite(t, "text_segmentation\npersonification")
	for _, target := range []string{segmentationPath + "?classify=true", segmentationPath, personificationPath} {
		for _, tt := range []struct {
			name string
			body string
			more int // bytes that the header promises and that never come
			want []int
		}{
			{"cut after the header", "", 1000, []int{400}},
			{"cut in the body", `{"value":"x`, 1000, []int{400}},
			{"cut by a byte", messageOf(t, 180<<10), 1, []int{400}},
			{"complete and short", `{"value":"x = 1","languages":["go"]}`, 0, []int{200, 499}},
			{"complete and long", messageOf(t, 180<<10), 0, []int{200, 499}},
		} {
			t.Run(target+" "+tt.name, func(t *testing.T) {
				conn := open(t, gateway, requestOf(gateway, target, tt.body, len(tt.body)+tt.more))
				require.NoError(t, conn.CloseWrite())
				response, body := readResponse(t, conn)
				require.Contains(t, tt.want, response.StatusCode, body)
				if response.StatusCode == http.StatusOK {
					_, err := contract.Decode[map[string]any]([]byte(body))
					require.NoError(t, err, "a whole response")
					require.NotEmpty(t, body)
					return
				}
				require.Equal(t, "application/problem+json", response.Header.Get("Content-Type"))
				require.Contains(t, body, fmt.Sprintf(`"status":%d`, response.StatusCode))
			})
		}
	}
}

// The 100 MB that the header promises never come: whoever waits for them waits until the client gives up.
func TestARefusalDoesNotWaitForTheBody(t *testing.T) {
	gateway := startSite(t, "text_segmentation\npersonification")
	for name, tt := range map[string]struct {
		method, target, header string
		want                   int
	}{
		"too large":                 {"POST", segmentationPath, "", 413},
		"too large, held back":      {"POST", segmentationPath, "Expect: 100-continue\r\n", 413},
		"another method":            {"PUT", personificationPath, "", 405},
		"another method, held back": {"PUT", personificationPath, "Expect: 100-continue\r\n", 405},
	} {
		t.Run(name, func(t *testing.T) {
			response, _ := readResponse(t, open(t, gateway, fmt.Sprintf("%s %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n%sContent-Length: 100000000\r\n\r\n",
				tt.method, tt.target, gateway.Address(), tt.header)))
			require.Equal(t, tt.want, response.StatusCode)
			require.True(t, response.Close, "the connection can't carry another request")
		})
	}
}

func TestAConnectionWhoseBodyWasReadCarriesTheNextRequest(t *testing.T) {
	gateway := startSite(t, "text_segmentation")
	conn := dial(t, gateway)
	for _, body := range []string{`{"value":""}`, `{"value":`, `{"value":""}`} {
		_, err := io.WriteString(conn, requestOf(gateway, segmentationPath, body, len(body)))
		require.NoError(t, err)
		response, _ := readResponse(t, conn)
		require.False(t, response.Close)
	}
}

// begun is most of a message of 70,000 bytes, with a header that promises all of it.
func begun(gateway *testgateway.Gateway) string {
	return requestOf(gateway, segmentationPath, `{"value":"`+strings.Repeat("x", 60_000), 70_000)
}

func TestASlowUploadMakesRoomForWhoWaits(t *testing.T) {
	language.Tighten(t, 70_000, 0, 100_000, 0)
	gateway := startSite(t, "text_segmentation {\nmax_body 70KB\n}")
	slow := open(t, gateway, begun(gateway))
	answered := make(chan struct{})
	answer := bufio.NewReader(slow)
	go func() {
		_, _ = answer.Peek(1)
		close(answered)
	}()
	message := messageOf(t, 62<<10)
	for done := false; !done; { // the first of them may come before it has the memory
		response, _ := readResponse(t, open(t, gateway, requestOf(gateway, segmentationPath, message, len(message))))
		require.Equal(t, http.StatusOK, response.StatusCode)
		select {
		case <-answered:
			done = true
		default:
		}
	}
	response, body := readResponse(t, answer)
	require.Equal(t, http.StatusRequestTimeout, response.StatusCode)
	require.Contains(t, body, "too slowly")
	require.True(t, response.Close)
}

func TestWhoeverWaitsInVainGets503AtOnceForItsBody(t *testing.T) {
	language.Tighten(t, 70_000, 0, 100_000, 100*time.Millisecond)
	gateway := startSite(t, "text_segmentation {\nmax_body 70KB\n}")
	refused := make(chan *bufio.Reader, 2)
	for range 2 { // whoever of them has the memory waits for the rest of its body
		conn := open(t, gateway, begun(gateway))
		go func() {
			answer := bufio.NewReader(conn)
			_, _ = answer.Peek(1)
			refused <- answer
		}()
	}
	response, _ := readResponse(t, <-refused)
	require.Equal(t, http.StatusServiceUnavailable, response.StatusCode)
	require.Equal(t, "1", response.Header.Get("Retry-After"))
	require.True(t, response.Close)
}

// Nobody waits for what others have only announced.
func TestWhoAnnouncesMuchAndSendsLittleKeepsNobodyWaiting(t *testing.T) {
	language.Tighten(t, 70_000, 0, 100_000, 500*time.Millisecond)
	gateway := startSite(t, "text_segmentation {\nmax_body 70KB\n}")
	for range 100 {
		open(t, gateway, requestOf(gateway, segmentationPath, `{"value":"`, 70_000))
	}
	message := messageOf(t, 62<<10)
	for range 3 {
		response, body := readResponse(t, open(t, gateway, requestOf(gateway, segmentationPath, message, len(message))))
		require.Equal(t, http.StatusOK, response.StatusCode, body)
	}
}
