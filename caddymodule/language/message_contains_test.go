package language_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language"
)

const (
	pythonMessage = "It fails, and I do not know why:\n\n```python\nfor i in range(3):\n    print(i)\n```\n"
	chatMessage   = "Good morning everybody, shall we meet for lunch at noon?"
)

// chat is a request to a language model with these messages of a user.
func chat(messages ...string) string {
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	request := struct {
		Model    string    `json:"model"`
		Messages []message `json:"messages"`
	}{Model: "m"}
	for _, m := range messages {
		request.Messages = append(request.Messages, message{"user", m})
	}
	body, err := json.Marshal(request)
	if err != nil {
		panic(err)
	}
	return string(body)
}

// startMatcher runs a site that responds with "matches" or "passes", and shows the placeholders.
func startMatcher(t *testing.T, matcher string) *testgateway.Gateway {
	return startSite(t, "@it message_contains "+matcher+`
		header >Message "{http.message.outcome} {http.message.languages} {http.message.code_lines} {http.message.code_share}"
		respond @it matches
		respond passes`)
}

func TestWhatMatches(t *testing.T) {
	python, sql := chat("Hello.", pythonMessage), chat("SELECT name FROM users WHERE id = 1 ORDER BY name;\n")
	for _, tt := range []struct {
		matcher, contentType, body string
		want                       string // "matches" or "passes", and the placeholders
	}{
		{"code", "", python, "matches read python 2 0.50"},
		{"code", "", chat(chatMessage), "passes read  0 0.00"},
		{"text", "", chat(chatMessage), "matches read  0 0.00"},
		{"text", "", sql, "passes read sql 1 1.00"},
		{"code python", "", python, "matches read python 2 0.50"},
		{"code sql py", "", python, "matches read python 2 0.50"},
		{"code SQL go", "", python, "passes read python 2 0.50"},
		{"code {\nfield $.messages[0].content\n}", "", python, "passes read  0 0.00"},
		{"code {\nfield $.messages[-1].content\n}", "", python, "matches read python 2 0.67"},
		{"code {\nfield $.other $.question\n}", "", `{"question":"SELECT name FROM users WHERE id = 1;"}`, "matches read sql 1 1.00"},
		{"code", "text/plain; charset=utf-8", pythonMessage, "matches read python 2 0.67"},
		{"code python", "text/plain", strings.ReplaceAll(chat("Hello there.", "x\n\n"+pythonMessage), "`", "\\u0060"), "matches read "},
		{"code {\nunknown match\n}", "text/plain", "f\x00o\x00r\x00", "matches unread "},
		{"code {\nunknown match\n}", "text/plain", "Gr\xfc\xdfe", "matches unread "},
		{"code", "", "", "passes empty  0 0.00"},
		{"text {\nunknown match\n}", "", "", "passes empty  0 0.00"},
		{"code", "", "a=b", "passes not_json  0 0.00"},
		{"code {\nunknown match\n}", "", "a=b", "matches not_json  0 0.00"},
		{"code {\nunknown pass\n}", "", `{"question":""}`, "passes no_message  0 0.00"},
		{"code {\nunknown match\n}", "", `{"question":""}`, "matches no_message  0 0.00"},
		{"code", "", `{"messages":[],"extra":"a b"}`, "passes unread  0 0.00"},
		{"code {\nunknown match\n}", "", `{"messages":[],"extra":"a b"}`, "matches unread  0 0.00"},
		{"code sql {\nunknown match\n}", "", strings.Replace(python, `"model":"m"`, `"extra":"a b"`, 1), "matches unread python 2 0.50"},
		{"code", "", strings.Replace(python, `"model":"m"`, `"extra":"a b"`, 1), "matches unread python 2 0.50"},
		{"code {\nunknown match\nfield $.messages[-1]\n}", "", `{"extra":"a b","messages":[{"content":"Hello."}]}`, "passes read  0 0.00"},
		{"code {\nunknown match\nfield $.messages[-1]\n}", "", `{"messages":[{"content":[{"image_url":{"url":"https://a.example/b.png"}}]}]}`, "matches unread  0 0.00"},
		{"code {\nmax_size 50B\n}", "", python, "passes too_large  0 0.00"},
		{"code {\nmax_size 50B\nunknown match\n}", "", python, "matches too_large  0 0.00"},
	} {
		t.Run(strings.ReplaceAll(tt.matcher, "\n", " "), func(t *testing.T) {
			gateway := startMatcher(t, tt.matcher)
			for _, size := range []int64{int64(len(tt.body)), -1} {
				r, err := http.NewRequest(http.MethodPost, gateway.URL(), strings.NewReader(tt.body))
				require.NoError(t, err)
				if size < 0 && tt.body != "" {
					r.ContentLength = -1 // chunked
				}
				if tt.contentType != "" {
					r.Header.Set("Content-Type", tt.contentType)
				}
				response, body := exchange(t, r)
				got := body + " " + response.Header.Get("Message")
				if strings.HasSuffix(tt.want, " ") { // whatever the counts are
					got = got[:min(len(got), len(tt.want))]
				}
				require.Equal(t, tt.want, got)
			}
		})
	}
}

// What goes over a WebSocket is not in the request. Java's client asks for HTTP/2 with each of its requests.
func TestAnUpgradeIsUnread(t *testing.T) {
	gateway := startMatcher(t, "code {\nunknown match\n}")
	for upgrade, want := range map[string]string{"websocket": "unread  0 0.00", "h2c": "read python 2 0.50"} {
		r, err := http.NewRequest(http.MethodGet, gateway.URL(), strings.NewReader(chat("Hello.", pythonMessage)))
		require.NoError(t, err)
		r.Header.Set("Connection", "Upgrade")
		r.Header.Set("Upgrade", upgrade)
		response, _ := exchange(t, r)
		require.Equal(t, want, response.Header.Get("Message"))
	}
}

// Another matcher sees the body that the first has read, whether it reads it alike or not.
func TestSeveralMatchersReadABody(t *testing.T) {
	gateway := startSite(t, `@sql message_contains code sql
		@first message_contains code {
			field $.messages[0].content
		}
		@large message_contains code {
			max_size 2KiB
			unknown match
		}
		@python message_contains code python
		respond @sql sql
		respond @first first
		respond @large large
		respond @python python`)
	for body, want := range map[string]string{
		chat("SELECT name FROM users WHERE id = 1 ORDER BY name;\n", "Hello."): "sql",
		chat(pythonMessage, "Hello."):                                          "first",
		chat(strings.Repeat(chatMessage+"\n", 100), pythonMessage):             "large",
		chat("Hello.", pythonMessage):                                          "large",
	} {
		_, got := post(t, gateway.URL(), body)
		require.Equal(t, want, got)
	}
}

// request is what a server behind the gateway got.
type request struct {
	body     []byte
	length   int64
	encoding []string // Transfer-Encoding
	trailer  string
}

// startServer starts a server that shows what it gets.
func startServer(t testing.TB) (url string, requests <-chan request) {
	got := make(chan request, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			w.WriteHeader(http.StatusTeapot)
			return
		}
		got <- request{body, r.ContentLength, r.TransferEncoding, r.Trailer.Get("Sum")}
	}))
	t.Cleanup(server.Close)
	return server.URL, got
}

// Whatever the matcher makes of a body, the server behind gets it as it would without the matcher.
func TestABodyIsPassedOnAsItCame(t *testing.T) {
	server, requests := startServer(t)
	const limit = 64 << 10
	config := func(matcher string) testgateway.Config {
		return testgateway.Config{Servers: "protocols h1 h2c", Site: matcher + "reverse_proxy " + server}
	}
	plain := testgateway.Run(t, config(""))
	matched := testgateway.Run(t, config("@code message_contains code {\nmax_size 64KiB\n}\nheader @code Code yes\n"))
	http2 := testgateway.HTTP2(new(net.Dialer).DialContext)
	defer http2.CloseIdleConnections()
	bodies := map[string]string{
		"none": "", "a byte": "{", "a chat": chat(pythonMessage), "no JSON": "\x00\xff", "with blanks behind": chat("x") + " \n\n",
		"all there may be": strings.Repeat(" ", limit), "a byte more": strings.Repeat(" ", limit+1), "a first piece": strings.Repeat(" ", 1024),
		"a first piece and a byte": strings.Repeat(" ", 1025), "megabytes": strings.Repeat(pythonMessage, 50_000), "a large chat": chat(strings.Repeat(pythonMessage, 500)),
	}
	for name, body := range bodies {
		for way, transport := range map[string]http.RoundTripper{"HTTP/1.1": http.DefaultTransport, "HTTP/2": http2} {
			for _, streamed := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s over %s, streamed %t", name, way, streamed), func(t *testing.T) {
					send := func(gateway *testgateway.Gateway) request {
						r, err := http.NewRequest(http.MethodPost, gateway.URL(), strings.NewReader(body))
						require.NoError(t, err)
						r.Header.Set("Content-Type", "application/json")
						if streamed {
							r.Body, r.ContentLength = io.NopCloser(bytes.NewReader([]byte(body))), -1
							r.Trailer = http.Header{"Sum": {"42"}}
						}
						response, err := transport.RoundTrip(r)
						require.NoError(t, err)
						defer response.Body.Close()
						require.Equal(t, http.StatusOK, response.StatusCode)
						return <-requests
					}
					want := send(plain)
					require.Equal(t, len(body), len(want.body))
					require.Equal(t, want, send(matched))
				})
			}
		}
	}
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
}

// A body that does not come to its end is of no use to anybody behind.
func TestABodyThatEndsEarlyIsNotPassedOn(t *testing.T) {
	server, requests := startServer(t)
	gateway := startSite(t, "@code message_contains code {\nunknown match\n}\nrespond @code secret 403\nreverse_proxy "+server)
	conn := open(t, gateway, requestOf(gateway, "/", `{"value":"x`, 1000))
	require.NoError(t, conn.CloseWrite())
	response, _ := readResponse(t, conn)
	require.Equal(t, http.StatusBadRequest, response.StatusCode)
	require.Empty(t, requests)
}

// Who holds the memory makes nobody hang: others are told apart as unknown in time, and the slow one has to go.
func TestUnderLoadTheOutcomeIsKnownInTime(t *testing.T) {
	const size = 123_456
	language.Tighten(t, size, 0, 8*size, 200*time.Millisecond)
	server, requests := startServer(t)
	gateway := testgateway.Run(t, testgateway.Config{
		Servers: "protocols h1 h2c",
		Site:    "@code message_contains code {\nmax_size 123456B\nunknown match\n}\nrequest_header @code Code {http.message.outcome}\nheader @code Outcome {http.message.outcome}\nreverse_proxy " + server,
	})
	var slow []net.Conn
	for range 40 {
		slow = append(slow, open(t, gateway, requestOf(gateway, "/", strings.Repeat(" ", 70_000), 120_000)))
	}
	body := chat(strings.Repeat(pythonMessage, 1000))
	require.Less(t, len(body), size)
	require.Eventually(t, func() bool {
		start := time.Now()
		response, _ := post(t, gateway.URL(), body)
		require.Less(t, time.Since(start), 5*time.Second)
		require.Equal(t, body, string((<-requests).body))
		return response.Header.Get("Outcome") == "busy"
	}, 10*time.Second, time.Millisecond)
	gone := 0
	require.Eventually(t, func() bool {
		response, _ := post(t, gateway.URL(), body) // others wait
		<-requests
		return response.Header.Get("Outcome") == "read"
	}, 20*time.Second, time.Millisecond)
	for _, conn := range slow {
		_ = conn.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
		if _, err := io.ReadAll(conn); !errors.Is(err, os.ErrDeadlineExceeded) {
			gone++
		}
		_ = conn.Close()
	}
	require.NotZero(t, gone)
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
}

// They send bodies that are as much work as can be, as fast as they can, long ones and short ones. Else who sends few bytes
// decides that the messages of others are not looked at.
func TestAFloodOfTinyTextsKeepsNobodyWaiting(t *testing.T) {
	gateway := startSite(t, "@code message_contains code\nheader @code Code yes\nrespond {http.message.outcome}")
	for _, unit := range []string{`"$",`, `"` + "```\\n$" + `",`} {
		body := `{"input":[` + strings.TrimSuffix(strings.Repeat(unit, 60_000/len(unit)), ",") + `]}`
		ctx, stop := context.WithCancel(t.Context())
		transport := &http.Transport{MaxIdleConnsPerHost: 100}
		var flood sync.WaitGroup
		for range 64 {
			flood.Go(func() {
				for ctx.Err() == nil {
					r, _ := http.NewRequestWithContext(ctx, http.MethodPost, gateway.URL(), strings.NewReader(body))
					if response, err := transport.RoundTrip(r); err == nil {
						_, _ = io.Copy(io.Discard, response.Body)
						_ = response.Body.Close()
					}
				}
			})
		}
		time.Sleep(time.Second) // they wait in line
		var slowest time.Duration
		for range 20 {
			start := time.Now()
			response, outcome := post(t, gateway.URL(), chat("Hello.", pythonMessage))
			require.Equal(t, "read", outcome)
			require.Equal(t, "yes", response.Header.Get("Code"))
			slowest = max(slowest, time.Since(start))
		}
		stop()
		flood.Wait()
		transport.CloseIdleConnections()
		t.Logf("%.20s…, %d bytes: an honest message waits for %v at most", body, len(body), slowest)
		require.Less(t, slowest, 2*time.Second)
	}
}

func TestMistakesOfAMatcherAreExplained(t *testing.T) {
	for options, want := range map[string]string{
		`{}`:                                     `message_contains must say code or text, not ""`,
		`{"contains":"codes"}`:                   `message_contains must say code or text, not "codes"`,
		`{"contains":"text","languages":["go"]}`: "takes no languages",
		`{"contains":"code","languages":["klingon"]}`:    `"klingon" is not a known language`,
		`{"contains":"code","fields":["messages"]}`:      `"messages" is not a JSON path`,
		`{"contains":"code","fields":["$.{env.FIELD}"]}`: "is not a JSON path",
		`{"contains":"code","max_size":-1}`:              "max_size must not be negative",
		`{"contains":"code","unknown":"block"}`:          `unknown must be match or pass, not "block"`,
	} {
		_, err := newConfiguration(t).LoadModuleByID("http.matchers.message_contains", []byte(options))
		require.ErrorContains(t, err, want, options)
	}
	twice := caddyfile.NewTestDispenser("message_contains code go\nmessage_contains code sql")
	require.ErrorContains(t, new(language.MessageContains).UnmarshalCaddyfile(twice), "given twice")
}

// BenchmarkMessageContains shows what the matcher adds to reverse_proxy alone. The CPU time is that of client, gateway and
// server together: the difference is the matcher's.
func BenchmarkMessageContains(b *testing.B) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
	}))
	defer server.Close()
	proxy := "reverse_proxy " + server.URL
	for _, site := range []struct{ name, site string }{
		{"reverse_proxy alone", proxy},
		{"with the matcher", "@code message_contains code\nheader @code Code yes\n" + proxy},
	} {
		gateway, err := testgateway.Start(testgateway.Config{Site: site.site})
		require.NoError(b, err)
		for _, messages := range []int{1, 10, 100, 1000} {
			body := []byte(chat(strings.Repeat(pythonMessage+"\n"+chatMessage+"\n", messages)))
			b.Run(fmt.Sprintf("%s/%dKB", site.name, (len(body)+512)/1024), func(b *testing.B) {
				before, err := testgateway.CPUTime(os.Getpid())
				require.NoError(b, err)
				for b.Loop() {
					r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, gateway.URL(), bytes.NewReader(body))
					require.NoError(b, err)
					response, err := http.DefaultClient.Do(r)
					require.NoError(b, err)
					_, _ = io.Copy(io.Discard, response.Body)
					_ = response.Body.Close()
				}
				after, err := testgateway.CPUTime(os.Getpid())
				require.NoError(b, err)
				b.ReportMetric(float64((after-before).Microseconds())/float64(b.N), "cpu-µs/op")
			})
		}
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
		require.NoError(b, gateway.Stop())
	}
}
