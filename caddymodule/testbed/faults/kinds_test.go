//go:build unix

package faults

import (
	"compress/gzip"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"

	"golang.org/x/net/http2"
)

// kinds are all faults, by where they are.
func kinds() map[string][]fault {
	return map[string][]fault{"Connections": connections(), "TLS": handshakes(), "HTTP/1.1": messages(), "What is said": contents(), "HTTP/2": frames()}
}

func connections() []fault {
	return []fault{
		{name: "refuses connections", address: refused},
		{name: "is a black hole", address: blackHole},
		{name: "has no address", address: func() (string, func(), error) { return "https://idp.invalid", func() {}, nil }},
		{name: "closes each connection at once", accept: func(*conn) {}},
		{name: "resets each connection at once", accept: (*conn).reset},
		{name: "reads nothing and says nothing", accept: func(c *conn) { time.Sleep(2 * timeout) }},
		{name: "never answers", respond: func(c *conn, _ *http.Request) { c.wait() }},
		{name: "reads the request and closes", respond: func(*conn, *http.Request) {}},
		{name: "reads the request and resets", respond: func(c *conn, _ *http.Request) { c.reset() }},
		{name: "resets in mid-header", respond: func(c *conn, _ *http.Request) {
			_ = c.write("HTTP/1.1 200 OK\r\nContent-Ty")
			time.Sleep(10 * time.Millisecond) // a reset may overtake what was sent
			c.reset()
		}},
		{name: "resets in mid-body", respond: func(c *conn, r *http.Request) {
			head, body := c.good(r)
			_ = c.write(fmt.Sprintf("HTTP/1.1 200 OK\r\n%sContent-Length: %d\r\n\r\n%s", head, len(body)+100, body))
			time.Sleep(10 * time.Millisecond)
			c.reset()
		}},
		{name: "resets a connection that is used again", twice: true, respond: again((*conn).reset)},
		{name: "closes a connection that is used again", twice: true, respond: again(func(*conn) {})},
		{name: "drips the header", respond: func(c *conn, r *http.Request) {
			head, body := c.good(r)
			c.drip("HTTP/1.1 200 OK\r\n"+head+"X-Filler: "+strings.Repeat("a", 1000)+"\r\n\r\n"+body, 20*time.Millisecond)
		}},
		{name: "drips the body", respond: func(c *conn, r *http.Request) {
			head, body := c.good(r)
			_ = c.write(fmt.Sprintf("HTTP/1.1 200 OK\r\n%sContent-Length: %d\r\n\r\n", head, len(body)+1000))
			c.drip(strings.Repeat(" ", 1000)+body, 20*time.Millisecond)
		}},
	}
}

// again responds well once on each connection, and does something else to the
// second request.
func again(then func(*conn)) func(*conn, *http.Request) {
	return func(c *conn, r *http.Request) {
		head, body := c.good(r)
		_ = c.write(fmt.Sprintf("HTTP/1.1 %s\r\n%sContent-Length: %d\r\n\r\n%s", statusOf(head), head, len(body), body))
		if second, err := http.ReadRequest(c.reader); err == nil {
			c.server.arrived(second.URL.Path)
			_, _ = io.Copy(io.Discard, second.Body)
			then(c)
		}
	}
}

func statusOf(head string) string {
	if strings.Contains(head, "Location: ") {
		return "302 Found"
	}
	return "200 OK"
}

// refused is an address that nobody listens on.
func refused() (string, func(), error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	defer listener.Close()
	return "http://" + listener.Addr().String(), func() {}, nil
}

// blackHole is an address that answers no SYN: its queue of connections is full.
func blackHole() (string, func(), error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	raw, err := listener.(*net.TCPListener).SyscallConn()
	if err == nil {
		err = raw.Control(func(fd uintptr) { _ = syscall.Listen(int(fd), 0) }) // the same socket, with a shorter queue
	}
	waiting := []io.Closer{listener}
	for range 3 {
		if c, err := net.DialTimeout("tcp", listener.Addr().String(), 100*time.Millisecond); err == nil {
			waiting = append(waiting, c)
		}
	}
	return "http://" + listener.Addr().String(), func() {
		for _, c := range waiting {
			_ = c.Close()
		}
	}, err
}

func handshakes() []fault {
	good := func(c *conn, r *http.Request) {
		head, body := c.good(r)
		_ = c.write(fmt.Sprintf("HTTP/1.1 %s\r\n%sContent-Length: %d\r\nConnection: close\r\n\r\n%s", statusOf(head), head, len(body), body))
	}
	return []fault{
		{name: "has a certificate that has expired", respond: good, tls: withTLS(func(c *x509.Certificate, _ *tls.Config) { c.NotAfter = time.Now().Add(-time.Hour) })},
		{name: "has a certificate of its own making", respond: good, tls: withTLS(func(c *x509.Certificate, _ *tls.Config) { c.IsCA, c.BasicConstraintsValid = true, true })},
		{name: "speaks TLS 1.1 only", respond: good, tls: withTLS(func(_ *x509.Certificate, c *tls.Config) {
			c.MinVersion, c.MaxVersion = tls.VersionTLS10, tls.VersionTLS11
		})},
		{name: "stalls in the handshake", tls: withTLS(nil), accept: (*conn).wait},
		{name: "says no TLS at all", tls: withTLS(nil), accept: func(c *conn) {
			_ = c.write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n" + marker)
		}},
	}
}

// raw responds with a text as it is. {head} and {body} stand for the healthy
// response, {length} for the length of its body.
func raw(text string) func(*conn, *http.Request) {
	return func(c *conn, r *http.Request) {
		head, body := c.good(r)
		_ = c.write(strings.NewReplacer("{status}", statusOf(head), "{head}", head, "{body}", body, "{length}", fmt.Sprint(len(body))).Replace(text))
	}
}

func messages() []fault {
	const secret = "X-Debug: " + marker + "\r\n"
	faults := []fault{
		{name: "sends less than Content-Length", respond: raw("HTTP/1.1 {status}\r\n{head}Content-Length: 5000\r\n\r\n{body}")},
		{name: "sends more than Content-Length", respond: raw("HTTP/1.1 {status}\r\n{head}Content-Length: {length}\r\n\r\n{body}" + marker)},
		{name: "sends two Content-Lengths", respond: raw("HTTP/1.1 {status}\r\n{head}Content-Length: {length}\r\nContent-Length: 3\r\n\r\n{body}")},
		{name: "sends no length and closes", respond: raw("HTTP/1.1 {status}\r\n{head}\r\n{body}")},
		{name: "sends Content-Length and chunks", respond: raw("HTTP/1.1 {status}\r\n{head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n" + marker[:5] + "\r\n0\r\n\r\n")},
		{name: "sends chunks without an end", respond: raw("HTTP/1.1 {status}\r\n{head}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n")},
		{name: "sends an unknown transfer coding", respond: raw("HTTP/1.1 {status}\r\n{head}Transfer-Encoding: gzip, chunked\r\n\r\n{body}")},
		{name: "sends trailers", respond: raw("HTTP/1.1 {status}\r\n{head}Transfer-Encoding: chunked\r\nTrailer: X-Late\r\n\r\n2\r\n{}\r\n0\r\nX-Late: " + marker + "\r\n\r\n")},
		{name: "speaks SMTP", respond: raw("220 " + marker + " ESMTP\r\n")},
		{name: "switches protocols (101)", respond: raw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" + secret + "\r\n" + marker)},
		{name: "sends 1xx without end", respond: func(c *conn, _ *http.Request) {
			c.repeat("HTTP/1.1 103 Early Hints\r\n"+secret+"\r\n", 100<<20)
		}},
		{name: "sends 20 MB of header", respond: func(c *conn, _ *http.Request) {
			_ = c.write("HTTP/1.1 200 OK\r\n")
			c.repeat("X-Filler: "+strings.Repeat("a", 1000)+"\r\n", 20<<20)
		}},
		{name: "sends one field of 20 MB", respond: func(c *conn, _ *http.Request) {
			_ = c.write("HTTP/1.1 200 OK\r\nX-Filler: ")
			c.repeat(strings.Repeat("a", 1000), 20<<20)
		}},
		{name: "sends a body of 300 MB", respond: func(c *conn, _ *http.Request) {
			_ = c.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 314572800\r\n\r\n")
			c.repeat(strings.Repeat(" ", 64<<10), 300<<20)
		}},
		{name: "sends chunks of 300 MB together", respond: func(c *conn, _ *http.Request) {
			_ = c.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
			c.repeat("8000\r\n"+strings.Repeat(" ", 0x8000)+"\r\n", 300<<20)
		}},
		{name: "sends a gzip bomb unasked", handle: bomb},
		{name: "sends an unknown content coding", respond: raw("HTTP/1.1 {status}\r\n{head}Content-Encoding: br\r\nContent-Length: {length}\r\n\r\n{body}")},
		{name: "ends lines with LF", respond: raw("HTTP/1.1 200 OK\nContent-Type: application/json\nX-Debug: " + marker + "\n\n{body}")},
		{name: "has CR in a field", respond: raw("HTTP/1.1 {status}\r\n{head}Location: /a\rSet-Cookie: " + marker + "\r\nContent-Length: {length}\r\n\r\n{body}")},
		{name: "sets cookies, CORS, HSTS and caching", respond: raw("HTTP/1.1 {status}\r\n{head}" + secret + "Set-Cookie: a=" + marker + "; Domain=example\r\nAccess-Control-Allow-Origin: " + marker + "\r\nStrict-Transport-Security: max-age=0\r\nCache-Control: public, max-age=600\r\nContent-Length: {length}\r\n\r\n{body}")},
		{name: "has ten thousand fields", respond: func(c *conn, r *http.Request) {
			_ = c.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n")
			for i := range 10_000 {
				if c.write(fmt.Sprintf("X-%d: a\r\n", i)) != nil {
					return
				}
			}
			_, body := c.good(r)
			_ = c.write("\r\n" + body)
		}},
	}
	for _, status := range []string{
		"099", "199", "201 Created", "204 No Content", "206 Partial Content", "299", "300 Multiple Choices", "304 Not Modified", "402 Payment Required", "404 Not Found",
		"407 Proxy Authentication Required", "499", "500 Internal Server Error", "503 Service Unavailable", "599", "600", "1000", "abc", "",
	} {
		faults = append(faults, fault{name: "answers with status " + strings.TrimSpace(status+" "), respond: raw("HTTP/1.1 " + status + "\r\nContent-Type: application/json\r\n" + secret + "Content-Length: 28\r\n\r\n{\"debug\":\"" + marker[:16] + "\"}")})
	}
	return faults
}

// bomb is 1 GB of spaces, compressed.
func bomb(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Encoding", "gzip")
	z := gzip.NewWriter(w)
	spaces := []byte(strings.Repeat(" ", 64<<10))
	for range 16 << 10 {
		if _, err := z.Write(spaces); err != nil {
			return
		}
	}
	_ = z.Close()
}

func says(status int, contentType, body string, fields ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = []string{contentType}
		for i := 0; i+1 < len(fields); i += 2 {
			w.Header().Add(fields[i], fields[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func contents() []fault {
	const json = "application/json"
	redirect := func(status int, location string) http.HandlerFunc {
		return says(status, json, goodToken, "Location", location)
	}
	page := "<html><title>" + marker + "</title><script>alert(1)</script>"
	return []fault{
		{name: "says HTML for JSON", handle: says(200, "text/html", page)},
		{name: "says HTML and calls it JSON", handle: says(200, json, page)},
		{name: "says two objects", handle: says(200, json, goodToken+`{"sub":"`+marker+`"}`)},
		{name: "says a name twice", handle: says(200, json, `{"access_token":"`+marker+`","access_token":"b","token_type":"Bearer","sub":"`+marker+`","sub":"b"}`)},
		{name: "says members of wrong types", handle: says(200, json, `{"access_token":["`+marker+`"],"token_type":{},"expires_in":"soon","sub":7,"issuer":true,"keys":{}}`)},
		{name: "nests a million lists", handle: says(200, json, strings.Repeat("[", 900_000))},
		{name: "nests objects in a member", handle: says(200, json, `{"sub":`+strings.Repeat(`{"a":`, 100_000)+"1"+strings.Repeat("}", 100_000)+"}")},
		{name: "says invalid UTF-8", handle: says(200, json, "{\"access_token\":\"\xff\xfe\",\"token_type\":\"Bearer\",\"sub\":\"\xff\"}")},
		{name: "says UTF-16", handle: says(200, json+"; charset=utf-16", "\xff\xfe{\x00}\x00")},
		{name: "says a byte order mark first", handle: says(200, json, "\xef\xbb\xbf"+goodToken)},
		{name: "says a control character in a token", handle: says(200, json, "{\"access_token\":\"a\\r\\nSet-Cookie: "+marker+"\",\"token_type\":\"Bearer\",\"sub\":\"a\\u0000b\"}")},
		{name: "says an error with junk", handle: says(400, json, `{"error":"`+marker+`\r\n","error_description":"at /srv/idp/`+marker+`.java:31"}`)},
		{name: "says an error with a trace", handle: says(500, "text/plain", "panic: "+marker+"\ngoroutine 1 [running]:\n/srv/idp/main.go:3")},
		{name: "is too busy (429) for an hour", handle: says(429, json, `{"message":"`+marker+`"}`, "Retry-After", "3600")},
		{name: "is down for maintenance (503)", handle: says(503, "text/html", page, "Retry-After", "120")},
		{name: "redirects (301)", handle: redirect(301, "https://"+marker+".example/")},
		{name: "redirects (302) to itself", handle: redirect(302, "?again")},
		{name: "redirects (307) to another host", handle: redirect(307, "http://127.0.0.1:1/"+marker)},
		{name: "asks for a password (401)", handle: says(401, json, `{"message":"`+marker+`"}`, "WWW-Authenticate", `Basic realm="`+marker+`"`)},
		{name: "panics", handle: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }},
	}
}

// frames are those after which a client of HTTP/2 may send a request again, which a token
// request must not be. The rest of HTTP/2 is golang.org/x/net/http2's.
func frames() []fault {
	speaks := withTLS(func(_ *x509.Certificate, c *tls.Config) { c.NextProtos = []string{"h2"} })
	faults := []fault{
		{name: "goes away (GOAWAY) before answering", tls: speaks, frame: func(f *http2.Framer, _ uint32) error {
			_ = f.WriteGoAway(0, http2.ErrCodeNo, nil)
			return io.EOF
		}},
		{name: "goes away with an error and debug data", tls: speaks, frame: func(f *http2.Framer, stream uint32) error {
			_ = f.WriteGoAway(stream, http2.ErrCodeInternal, []byte(marker))
			return io.EOF
		}},
		{name: "closes without a word (HTTP/2)", tls: speaks, frame: func(*http2.Framer, uint32) error { return io.EOF }},
		{name: "never answers (HTTP/2)", tls: speaks, frame: func(*http2.Framer, uint32) error { return nil }},
	}
	for _, code := range []http2.ErrCode{http2.ErrCodeInternal, http2.ErrCodeRefusedStream, http2.ErrCodeHTTP11Required} {
		faults = append(faults, fault{name: fmt.Sprintf("resets the stream (%s)", code), tls: speaks, frame: func(f *http2.Framer, stream uint32) error {
			return f.WriteRSTStream(stream, code)
		}})
	}
	return faults
}
