package paths

import (
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"
)

// The owners of the paths in tests.
const (
	authorize uint8 = 1 + iota
	token
	userInfo
	logout
	callback
)

// protected are four endpoints, a callback and what is denied.
func protected(t testing.TB, deny ...string) *Protected {
	p := new(Protected)
	for path, owner := range map[string]uint8{
		"/authorize": authorize, "/oauth/token": token, "/userinfo": userInfo, "/v2/logout": logout, "/oauth/callback": callback,
	} {
		p.Add(path, owner)
	}
	require.NoError(t, p.Deny(deny, ""))
	return p
}

// confusions are paths that some server normalizes to an endpoint.
var confusions = []string{
	"/AUTHORIZE", "/Authorize", "//authorize", "/authorize/", "/authorize//", "/./authorize", "/authorize/.",
	"/%61uthorize", "/%2561uthorize", "/%252561uthorize", "/authoriz%65", "/%u0061uthorize",
	"/oauth/../authorize", "/oauth/%2e%2e/authorize", "/oauth/..%2fauthorize", "/oauth/..;/authorize", "/x/..\\authorize",
	"/%2fauthorize", "/authorize%2f", "/%5cauthorize", "/\\authorize", "/authorize;x=1", "/authorize%3Bx", "/;a/authorize",
	"/authorize%00", "/authorize%00.js", "/auth%00orize", "/authorize%20", "/authorize.", "/authorize%09", "/authorize%0a",
	"/authorize%3Fa=b", "/authorize%23x", "/authorize%0d%0aX",
	"/\uff41uthorize", "/%EF%BD%81uthorize", "/%EF%BC%8Fauthorize", "/autho\u200brize", "/%c1%a1uthorize", "/%e0%81%a1uthorize",
	"/\u017fynth/../authorize", "/v2\u2215logout", "/to\u212aen/../oauth/to\u212aen",
	"/oauth%2ftoken", "/oauth%252ftoken", "/OAuth/Token", "/oauth//token", "/oauth/./token", "/oauth/x/../token", "/oauth\\token",
	// The suffix of a format (Rails, Spring), and a script that is meant (Apache's MultiViews).
	"/oauth/token.json", "/authorize.html", "/userinfo.php", "/v2/logout.do", "/oauth/token.tar.gz", "/OAuth/Token.JSON", "/oauth/token.json/", "/authorize%2ejson",
	// Parameters after other characters than the semicolon (RFC 3986 section 3.3), and what lenient routers cut off.
	"/oauth/token,", "/oauth/token,v=1", "/oauth,v=1/token", "/oauth;a/token,b", "/authorize!", "/authorize~", "/authorize:", "/authorize::$DATA",
	"/authorize'", "/authorize%22", "/authorize*", "/authorize&a=b", "/authorize=", "/authorize@x", "/authorize+", "/authorize%7C", "/authorize)", "/authorize%20HTTP/1.1", "/authorize;/x", "/authorize%00/x",
	// Front controllers: what follows a script's name is the path that it routes (CGI's PATH_INFO).
	"/index.php/oauth/token", "/app_dev.php/authorize", "/INDEX.PHP/userinfo", "/web/index.php/v2/logout", "/index.php//authorize", "/cgi-bin/app.cgi/oauth/token",
	"/index.php;x/authorize.json", "/index.php%2fauthorize", "/index.php/index.php/authorize", "/app.aspx/authorize", "/index.php/x/../authorize",
	// A session in the path (ASP.NET), which is removed before routing.
	"/(S(lit3py55t21z5v55vlm25s55))/authorize", "/oauth/(A(x)F(y))/token", "/%28S(a)%29/userinfo",
	// Letters that become ASCII in another case or without their marks.
	"/author%C4%B1ze", "/author%u0131ze", "/AUTHOR%C4%B0ZE", "/u%C5%BFerinfo", "/oauth/to%E2%84%AAen", "/oauth/to%E2%84%AAen.json", "/v2/%E2%93%9Bogout", "/%C3%A1uthorize", "/%C4%81uthorize", "/au%CC%81thorize",
	// Four-byte and longer overlong encodings, other backslashes.
	"/%f0%80%81%a1uthorize", "/%f8%80%80%81%a1uthorize", "/oauth%f0%80%80%aftoken", "/oauth%E2%88%96token", "/oauth%C2%A5token",
	// Dot segments that merge with what some servers drop and others count.
	"/authorize//..", "/authorize/%20/..", "/oauth/token/x/..", "/oauth/token//x/../..", "/authorize/;/..", "/a/.../../authorize",
	"/userinfo/", "/UserInfo", "/v2/logout/", "/V2/logout", "/v2%2Flogout", "/v2/log%6Fut", "authorize",
	strings.Repeat("/", 1000) + "authorize", strings.Repeat("/x/..", 200) + "/authorize", "/%25252525252525252561uthorize",
}

func TestConfusedPathsNeverPassThrough(t *testing.T) {
	p := protected(t)
	for _, path := range confusions {
		_, verdict := p.Classify("GET", path)
		require.Equal(t, Confused, verdict, "%q", path)
	}
}

// TestPathsOfOrdinaryAppsPass: a rule against confusion is worth nothing if
// operators have to switch it off.
func TestPathsOfOrdinaryAppsPass(t *testing.T) {
	p := protected(t, "auth0", "/admin/*")
	for _, path := range []string{
		// Other words, and endpoints of others.
		"/authorized", "/authorise", "/authorize-device", "/users/authorize-device", "/authorize_app", "/oauth/tokens", "/oauth/token-info", "/oauth/token_info",
		"/userinfos", "/v1/logout", "/v2/logout-all", "/v2/logged-out", "/logout", "/oauth/callback-url", "/oauth/callbacks",
		// Below an endpoint (Auth0's own /authorize/resume), and an endpoint below something else.
		"/authorize/resume", "/oauth/token/info", "/userinfo/avatar.png", "/api/authorize", "/api/oauth/token", "/api/v1/userinfo", "/docs/oauth/token",
		"/v2.0/authorize", "/app.example.com/authorize", "/my.tenant/oauth/token", "/~alice/authorize", "/@alice/authorize", "/:tenant/userinfo", "/@authorize",
		// Assets.
		"/static/authorize.js", "/assets/userinfo.3f2a.css", "/static/App.js", "/favicon.ico", "/.well-known/openid-configuration", "/img/logo@2x.png", "/_next/static/chunks/app.js",
		// Scripts.
		"/index.php", "/index.php/login", "/index.php/oauth/tokens", "/wp-content/plugins/oauth/token.php", "/wp-login.php", "/cgi-bin/",
		// Other scripts, escapes, parameters, dot segments.
		"/wiki/%C4%B0stanbul", "/%E4%BD%A0%E5%A5%BD", "/50%25-off", "/files/a..b", "/a/../b", "/search/authorize%20me", "/a;v=1/b,c", "/blog/oauth,token-explained",
		"/proxy/https%3A%2F%2Fapp.example%2Fauthorize", "/items/(red)/list", "/matrix;lat=1;long=2/userinfo", "/admin", "/oauth/device", "/oauth/partners",
		"/" + strings.Repeat("a", 20_000),
	} {
		_, verdict := p.Classify("GET", path)
		require.Equal(t, Free, verdict, path)
	}
}

// A later handler may route by one of these headers instead of the path.
func TestHeadersThatReplaceThePath(t *testing.T) {
	p := protected(t)
	for _, name := range []string{"X-Original-URL", "X-Rewrite-Url", "X_Original_URL", "x_rewrite-url", "X.Original!URL", "X~Rewrite|Url"} {
		for want, values := range map[Verdict][]string{
			Confused: {
				"/oauth/token", "/oauth/token?a=b", "https://app.example/authorize", "/Authorize/", "authorize", "//authorize", "//app/authorize", "%2Fauthorize",
				"http://a b/authorize", "http://%/authorize", "a_b://x/authorize", // no URLs
				"http://app?/authorize", "http:///authorize", "x:///authorize",
			},
			Free: {
				"/app", "", "https://app.example/", "//authorize/app", "http://app.example", "http://app.example?a=b", "/app//x/authorize", "/app://x/authorize",
				"app//x/authorize", ":", "/app?next=/../authorize",
			},
		} {
			for _, value := range values {
				header := make(http.Header)
				header.Set(name, value)
				_, verdict := p.ClassifyHeader(header)
				require.Equal(t, want, verdict, "%s: %s", name, value)
			}
		}
	}
	owner, verdict := p.ClassifyHeader(http.Header{"X-Original-Url": {"https://app.example/authorize"}, "X-Forwarded-For": {"/authorize"}})
	require.Equal(t, Confused, verdict)
	require.Equal(t, authorize, owner)
	for name, header := range map[string]http.Header{
		"two values":       {"X-Original-Url": {"/app", "/app"}},
		"two fields":       {"X-Original-Url": {"/app"}, "X-Rewrite-Url": {"/app"}},
		"two spellings":    {"X-Original-Url": {"/app"}, "X_original_url": {"/app"}},
		"a long one":       {"X-Rewrite-Url": {"https://app.example/" + strings.Repeat("a", MaxDecoded)}},
		"a very long one":  {"X-Rewrite-Url": {"/" + strings.Repeat("\uFDFA", 20_000)}},
		"one of a gateway": {"X-Original-Url": {"/authorize", "/app"}},
	} {
		_, verdict := p.ClassifyHeader(header)
		require.Equal(t, TooLong, verdict, name)
	}
	for name, header := range map[string]http.Header{
		"a query is not read":    {"X-Original-Url": {"https://app.example/app?" + strings.Repeat("a=b&", 10_000)}},
		"nor is any other field": {"X-Original-Urls": {"/authorize"}, "Y-Original-Url": {"/authorize"}, "X-Original-Foo": {"/authorize"}},
	} {
		_, verdict := p.ClassifyHeader(header)
		require.Equal(t, Free, verdict, name)
	}
}

// FuzzClassify compares Classify with an independent, simpler normalization: what that
// takes for a protected path never passes through.
func FuzzClassify(f *testing.F) {
	for _, path := range confusions {
		f.Add("GET", path)
	}
	f.Add("POST", "/oauth/token")
	f.Add("GET", "/favicon.ico")
	f.Add("POST", "/oauth/callback")
	f.Add("GET", "/Admin;x/%75sers.json")
	p := protected(f, "/admin/users")
	f.Fuzz(func(t *testing.T, method, escaped string) {
		_, verdict := p.Classify(method, escaped)
		if verdict != Free {
			return
		}
		simple := escaped
		for range 3 {
			if decoded, err := url.PathUnescape(simple); err == nil {
				simple = decoded
			}
			cleaned := path.Clean("/" + strings.ToLower(strings.ToUpper(strings.ReplaceAll(simple, `\`, "/"))))
			for _, reading := range []string{
				cleaned,
				strings.TrimSuffix(cleaned, path.Ext(cleaned)),
				strings.TrimPrefix(cleaned, "/index.php"),
				strings.TrimRight(cleaned, ",;:!*'\"&= "),
			} {
				if slices.Contains([]string{"/authorize", "/oauth/token", "/userinfo", "/v2/logout", "/oauth/callback", "/admin/users"}, reading) {
					t.Fatalf("%q can be read as %s", escaped, reading)
				}
			}
		}
	})
}

func TestOverlongEncodings(t *testing.T) {
	for encoded, want := range map[string]string{
		"\xc1\xa1": "a", "\xc0\xaf": "/", "\xe0\x81\xa1": "a", "\xf0\x80\x81\xa1": "a", "\xf8\x80\x80\x81\xa1": "a", "\xfc\x80\x80\x80\x81\xa1": "a",
		// None: cut off, without a continuation, of other characters, valid UTF-8.
		"\xc1": "\xc1", "\xc1a": "\xc1a", "\xe0\x81": "\xe0\x81", "\xe0\x82\x80": "\xe0\x82\x80", "\xff": "\xff", "ä": "ä", "\xc1\xa1ä\xc1\xa2": "aäb",
		"\xe0\x81\xa1x": "ax", "\xc1\xc1\xa1": "\xc1a", "\xf0\x80\x82\x80": "\xf0\x80\x82\x80", "\xc1\xbf": "\x7f",
	} {
		require.Equal(t, want, decodeOverlong(encoded), "%q", encoded)
	}
}

func TestSuffixesAndScripts(t *testing.T) {
	for path, want := range map[string]string{
		"/a.json": "/a", "/a.tar.gz": "/a", "/.well-known": "/.well-known", "/.a.json": "/.a", "/a/": "/a/", "/a.b/c": "/a.b/c", "/a.b/c.d": "/a.b/c", "/a": "/a",
	} {
		require.Equal(t, want, withoutSuffix(path), path)
	}
	for path, want := range map[string]string{
		"/index.php/a": "/a", "/x/index.php5/a/b": "/a/b", "/a.b.cgi/c": "/c", "/a.css/b": "", "/a.css/b.py/c": "/c", "/index.php": "", "/a": "", "/index.php/": "/", "/php/a": "",
	} {
		require.Equal(t, want, afterScript(path), path)
	}
	for _, suffix := range []string{
		"php", "php7", "phtml", "cgi", "fcgi", "pl", "py", "wsgi", "rb", "lua", "asp", "aspx", "ashx", "asmx", "svc", "jsp", "jspx", "do", "action", "cfm", "dll", "exe",
	} {
		require.Equal(t, "/oauth/token", afterScript("/x."+suffix+"/oauth/token"), suffix)
	}
}

func TestPathsThatAreTheirOwnCanonicalForm(t *testing.T) {
	for path, want := range map[string]bool{
		"/a": true, "/a/b": true, "/a-b_c/0.9": true, "/z.a/z": true,
		"": false, "a": false, "/": false, "/a/": false, "//a": false, "/a//b": false, "/.a": false, "/a.": false, "/a./b": false, "/a/.b": false,
		"/A": false, "/a%20": false, "/a;b": false, "/{": false, "/`": false, "/:": false, "/a\x00": false, "/ä": false, "/a..b": true,
	} {
		require.Equal(t, want, IsPlain(path), path)
	}
}

// What is decoded: two digits after a percent sign, or four after %u, which IIS reads.
func TestOneDecoding(t *testing.T) {
	for encoded, want := range map[string]string{
		"/%61": "/a", "%61": "a", "%6A%6a": "jj", "/a%": "/a%", "/a%6": "/a%6", "/%6g": "/%6g", "/%g6": "/%g6", "/a": "/a",
		"%u0061": "a", "%U0061x": "ax", "%u2044": "\u2044", "%u006": "%u006", "%ug061": "%ug061", "%u006g": "%u006g", "%t0061": "%t0061",
		"%xu0061": "%xu0061", "%u": "%u", "%x0061%": "%x0061%",
	} {
		require.Equal(t, want, decodeOnce(encoded), encoded)
	}
	p := protected(t)
	nested := func(levels int) string { return "/x%" + strings.Repeat("25", levels-1) + "41" }
	_, verdict := p.Classify("GET", nested(maxDecodings-1))
	require.Equal(t, Free, verdict)
	_, verdict = p.Classify("GET", nested(maxDecodings))
	require.Equal(t, Confused, verdict, "nobody means that")
}

func TestTheMostForgivingReading(t *testing.T) {
	for path, want := range map[string]string{
		"/a\\b": "/a/b", "/a\u2044b": "/a/b", "/a\u2215b": "/a/b", "/a\u2216b": "/a/b", "/a\u29f5b": "/a/b", "/a\u29f8b": "/a/b", "/a\u29f9b": "/a/b",
		"/a\u00a5b": "/a/b", "/a\u20a9b": "/a/b", "/a\ufffdb": "/ab", "/a%b": "/ab", "/a\u200db": "/ab", "/A\u0130\u0131": "/aii",
		"/ a /b": "/a/b", "/a./b": "/a/b", "/..a/b": "/..a/b", "/a;x=1/b,c": "/a/b", "/;x/a": "/a", "/,x/a": "/a", "/!x": "/!x", "/a!b": "/a",
		"/v2;x": "/v2", "/a_b;c": "/a_b", "/(S(x))/a": "/a", "/(S())/a": "/a", "/xS(a))": "/xs", "/(Sxa))": "/(sxa))", "/(S(abc": "/(s(abc",
	} {
		require.Equal(t, want, Canonical(path), "%q", path)
	}
	for path, dotted := range map[string]bool{"/a/../b": true, "/a/.. /b": true, "/a/.../b": true, "/..a": false, "/a/.": false} {
		_, has := canonicalSegments(path)
		require.Equal(t, dotted, has, path)
	}
}

func TestOddPathsAreReadUpToABound(t *testing.T) {
	p := protected(t)
	for path, want := range map[string]Verdict{
		"/" + strings.Repeat("A", maxPath-1):                 Free,
		"/" + strings.Repeat("A", maxPath):                   TooLong,
		"/" + strings.Repeat("a", 100*maxPath):               Free,
		"/~" + strings.Repeat("a", MaxDecoded-2):             Free,
		"/~" + strings.Repeat("a", MaxDecoded-1):             TooLong,
		"/" + strings.Repeat("%61", MaxDecoded-1):            Free, // what it is decoded counts
		"/" + strings.Repeat("%61", MaxDecoded):              TooLong,
		"/" + strings.Repeat("%EF%B7%BA", 341):               Free,
		"/" + strings.Repeat("%EF%B7%BA", 342):               TooLong,
		"/" + strings.Repeat("\uFDFA", 2700):                 TooLong,
		"/" + strings.Repeat("%25", maxPath/3) + "41":        TooLong,
		strings.Repeat("/a.php", MaxScripts) + "/b":          Free,
		strings.Repeat("/a.php", MaxScripts+1) + "/b":        TooLong,
		strings.Repeat("/A.php", MaxScripts+1) + "/b":        TooLong,
		strings.Repeat("/a.php", MaxScripts) + "/authorize":  Confused,
		strings.Repeat("/a.php", 100_000):                    TooLong,
		strings.Repeat("/", 5000) + "authorize":              TooLong,
		strings.Repeat("/x/..", 5000) + "/authorize":         TooLong,
		strings.Repeat("/%E4%BD%A0%E5%A5%BD.txt", 1024/11-1): Free, // the longest keys of object storage
	} {
		_, verdict := p.Classify("GET", path)
		require.Equal(t, want, verdict, "%.20s… of %d bytes", path, len(path))
	}
}

// Whatever a server makes of a single character by NFKD and by its case, folding it
// comes to the same, as far as that is ASCII.
func TestFoldingOfEachCharacter(t *testing.T) {
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		var want []byte
		for _, part := range norm.NFKD.String(string(r)) {
			lower := unicode.ToLower(unicode.ToUpper(part))
			if strings.ContainsRune("\\\u2044\u2215\u2216\u29f5\u29f8\u29f9\u00a5\u20a9", part) {
				lower = '/'
			}
			if lower >= ' ' && lower < 0x7f && lower != '%' {
				want = append(want, byte(lower))
			}
		}
		var folded []byte
		for _, part := range []byte(foldPath(string(r))) {
			if part < utf8.RuneSelf {
				folded = append(folded, part)
			}
		}
		if string(folded) != string(want) {
			t.Errorf("%U is folded to %q, not %q", r, folded, want)
		}
	}
}

// Which endpoint a path could be taken for is told, for the message and the metrics.
func TestWhatAPathCouldBeTakenFor(t *testing.T) {
	p := protected(t)
	p.Add("/t/issue.php", 0)
	for path, want := range map[string]uint8{
		"/x/../oauth/token": token, "/OAuth/Token": token, "/x/../userinfo": userInfo, "/t/issue.php": 0,
		"/x/../a": 0, "/" + strings.Repeat("A", maxPath): 0, "/%252525252525252541": 0, "/A": 0,
	} {
		owner, _ := p.Classify("POST", path)
		require.Equal(t, want, owner, path)
	}
	_, verdict := p.Classify("GET", "/t/issue.php")
	require.Equal(t, Confused, verdict)
	owner, _ := p.ClassifyHeader(http.Header{"X-Original-Url": {"/app"}})
	require.Zero(t, owner)
}

func TestFieldsThatServersTakeForOne(t *testing.T) {
	for name, want := range map[string]string{
		"X-User": "x-user", "x_user": "x-user", "X!User": "x-user", "X-Müller": "x-m-ller",
		"AMZ-amz-059": "amz-amz-059", "@[`{/:": "------",
	} {
		require.Equal(t, want, FoldField(name))
		require.True(t, IsField(name, want), name)
		require.False(t, IsField(name, want+"-") || IsField(name+"-", want) || IsField(name, "y"+want[1:]), name)
	}
}
