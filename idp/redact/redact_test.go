package redact

import (
	"encoding/base64"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

func TestText(t *testing.T) {
	basic := func(pair string) string { return base64.StdEncoding.EncodeToString([]byte(pair)) }
	for _, test := range []struct{ name, text, want string }{
		// URLs
		{"a callback", "/cb?code=abc&state=xyz&page=2", "/cb?code=REDACTED&state=REDACTED&page=2"},
		{"a fragment", "https://app.example/cb#access_token=abc&expires_in=60", "https://app.example/cb#access_token=REDACTED&expires_in=60"},
		{"a query and a fragment", "/cb?code=abc#state=xyz", "/cb?code=REDACTED#state=REDACTED"},
		{"a value with odd characters", `/cb?code=a=b;c,d'e\f"g&page=2`, "/cb?code=REDACTED&page=2"},
		{"an encoded name", "/cb?%63ode=abc&%2563ode=abd", "/cb?%63ode=REDACTED&%2563ode=REDACTED"},
		{"another case", "/cb?Code=abc&STATE=xyz", "/cb?Code=REDACTED&STATE=REDACTED"},
		{"an index", "/cb?code[]=abc&state%5B0%5D=xyz", "/cb?code[]=REDACTED&state%5B0%5D=REDACTED"},
		{"repeated", "/cb?code=abc&code=abd", "/cb?code=REDACTED&code=REDACTED"},
		{"another separator", "/cb?page=2;code=abc", "/cb?page=2;code=REDACTED"},
		{"a parameter of the path", "/cb;code=abc/x", "/cb;code=REDACTED"},
		{"empty", "/cb?code=&state=xyz", "/cb?code=&state=REDACTED"},
		{
			"a URL in a URL", "/login?next=https%3A%2F%2Fapp%2Fcb%3Fcode%3Dabc%26state%3Dxyz%26page%3D2&lang=de",
			"/login?next=https%3A%2F%2Fapp%2Fcb%3Fcode%3DREDACTED%26state%3DREDACTED%26page%3D2&lang=de",
		},
		{"a URL in a URL in a URL", "/a?u=b%3Fv%3Dc%253Fcode%253Dabc%2526page%253D2%26w%3D1", "/a?u=b%3Fv%3Dc%253Fcode%253DREDACTED%2526page%253D2%26w%3D1"},
		{"JSON in a URL", `/a?d=%7B%22code%22%3A%22abc%22%2C%22page%22%3A2%7D`, `/a?d=%7B%22code%22%3A%22REDACTED%22%2C%22page%22%3A2%7D`},
		{"another app's", "/shop?page=2&q=code&sort=state&zip=code:12", "/shop?page=2&q=code&sort=state&zip=code:12"},
		{"like a secret's name", "/shop?barcode=4006381&statement=1&decode=x", "/shop?barcode=4006381&statement=1&decode=x"},

		// the gateway's own URLs
		{
			"authorize", "/authorize?client_id=app&response_type=code&state=xyz&code_challenge=abc&code_challenge_method=S256&login_hint=me%40example.org&x=1",
			"/authorize?client_id=app&response_type=code&state=REDACTED&code_challenge=REDACTED&code_challenge_method=S256&login_hint=REDACTED&x=REDACTED",
		},
		{"the callback", "/oauth/callback?code=abc&state=xyz&vendor_ticket=t", "/oauth/callback?code=REDACTED&state=REDACTED&vendor_ticket=REDACTED"},
		{"a look-alike", "//AUTHORIZE/?secret=abc&client_id=app", "//AUTHORIZE/?secret=REDACTED&client_id=app"},
		{
			"below a prefix", "https://login.example/idp/v2/logout?returnTo=https%3A%2F%2Fapp%2F%3Fcode%3Dabc&client_id=app",
			"https://login.example/idp/v2/logout?returnTo=https%3A%2F%2Fapp%2F%3Fcode%3DREDACTED&client_id=app",
		},
		{"without a name", "/authorize?abcdef&client_id=app", "/authorize?REDACTED&client_id=app"},

		// forms
		{"a token request", "grant_type=authorization_code&code=abc&code_verifier=xyz&client_id=app", "grant_type=authorization_code&code=REDACTED&code_verifier=REDACTED&client_id=app"},
		{"a form with JSON", `{"grant_type":"refresh_token","refresh_token":"abc"}`, `{"grant_type":"refresh_token","refresh_token":"REDACTED"}`},
		{"a hidden input", `<input type="hidden" name="code" value="abc"><input name="page" value="2">`, `<input type="hidden" name="code" value="REDACTED"><input name="page" value="2">`},

		// steps of logins
		{"at an IdP", "/oauth2/auth?client_id=app&login_verifier=abc&consent%5Fverifier=abd", "/oauth2/auth?client_id=app&login_verifier=REDACTED&consent%5Fverifier=REDACTED"},
		{"a ticket in a URL in a URL", "/x?to=https%3A%2F%2Fapp%2Fcb%3FTicket%3DST-1%26page%3D2", "/x?to=https%3A%2F%2Fapp%2Fcb%3FTicket%3DREDACTED%26page%3D2"},
		{"a pushed request", `{"request_uri":"urn:ietf:params:oauth:request_uri:abc","expires_in":60}`, `{"request_uri":"REDACTED","expires_in":60}`},
		{"the same in a URL", "/a?client_id=app&request_uri=urn%3Aietf%3Aparams%3Aoauth%3Arequest_uri%3Aabc", "/a?client_id=app&request_uri=REDACTED"},
		{"the same in a sentence", "pushed as urn:ietf:params:oauth:request_uri:abc, then sent", "pushed as urn:ietf:params:oauth:request_uri:REDACTED, then sent"},
		{"other names of codes", `{"auth_code":"abc","authorizationCode":"abd"} Authorization-Code: "abe"`, `{"auth_code":"REDACTED","authorizationCode":"REDACTED"} Authorization-Code: "REDACTED"`},

		// messages
		{"a url.Error", `Get "https://idp.example/a?code=abc&page=2": dial tcp: connection refused`, `Get "https://idp.example/a?code=REDACTED&page=2": dial tcp: connection refused`},
		{"two URLs", `from "/a?code=abc" to "/b?state=xyz"`, `from "/a?code=REDACTED" to "/b?state=REDACTED"`},
		{"JSON", `response {"access_token": "abc", "expires_in": 60, "id_token":"x\"y"}`, `response {"access_token": "REDACTED", "expires_in": 60, "id_token":"REDACTED"}`},
		{"quoted JSON", `body "{\"access_token\":\"abc\",\"scope\":\"openid\"}"`, `body "{\"access_token\":\"REDACTED\",\"scope\":\"openid\"}"`},
		{"JSON as Go writes it", `{"url":"/cb?page=2\u0026code=abc\u0026state=xyz"}`, `{"url":"/cb?page=2\u0026code=REDACTED"}`},
		{"the same, quoted", `{\"url\":\"/cb?page=2\\u0026code=abc\",\"page\":2}`, `{\"url\":\"/cb?page=2\\u0026code=REDACTED\",\"page\":2}`},
		{"JSON with more escapes", `{\u0022code\u0022:\u0022abc\u0022} /cb?code\u003dabc`, `{\u0022code\u0022:\u0022REDACTED\u0022} /cb?code\u003dREDACTED`},
		{"a list in JSON", `{"code":["abc","d]ef"],"page":["2"]}`, `{"code":["REDACTED","REDACTED"],"page":["2"]}`},
		{"a configuration", `{"idp_client":{"id":"gateway","secret":"abc"},"sealing_keys":["abc","abd"]}`, `{"idp_client":{"id":"gateway","secret":"REDACTED"},"sealing_keys":["REDACTED","REDACTED"]}`},
		{"a map as Go prints it", "map[code:[abc] page:[2] state:[xyz]]", "map[code:[REDACTED] page:[2] state:[REDACTED]]"},
		{"a struct as Go prints it", "{Code:abc State:xyz Page:2}", "{Code:REDACTED State:REDACTED Page:2}"},
		{"a token of golang.org/x/oauth2", "&{AccessToken:abc TokenType:Bearer RefreshToken:xyz}", "&{AccessToken:REDACTED TokenType:Bearer RefreshToken:REDACTED}"},
		{"JSON of a program", `{"accessToken":"abc","tokenType":"Bearer","code-verifier":"xyz"}`, `{"accessToken":"REDACTED","tokenType":"Bearer","code-verifier":"REDACTED"}`},
		{"a map as Ruby prints it", `{"code"=>"abc", "page" => "2", :state=>"xyz"}`, `{"code"=>"REDACTED", "page" => "2", :state=>"REDACTED"}`},
		{"the same of a symbol", "{:state =>xyz, page=>2}", "{:state =>REDACTED page=>2}"},
		{"the sign of a map in a URL", "https://app.example/cb?code=>abc&page=2", "https://app.example/cb?code=REDACTED&page=2"},
		{"an escape at the end", `state: abcdefghijklmnopqrst\u0022`, `state: REDACTED\u0022`},
		{"a password in a URL", `dial redis://gateway:abc@redis.internal:6379: refused`, `dial redis://gateway:REDACTED@redis.internal:6379: refused`},
		{"without a user", `"redis+sentinel://:a%40b@10.0.0.1/0"`, `"redis+sentinel://:REDACTED@10.0.0.1/0"`},
		{"in a URL in a URL", "/x?u=https%3A%2F%2Fme%3Aa%2540b%40host%2F&page=2", "/x?u=https%3A%2F%2Fme%3AREDACTED%40host%2F&page=2"},
		{"at the end", "dial redis://gateway:abc@redis", "dial redis://gateway:REDACTED@redis"},
		{"with an encoded slash", "redis://gateway:a%2Fb@redis/0", "redis://gateway:REDACTED@redis/0"},
		{"no authority", "sent to:ada:b@c, file:/a:b@c, a:/", "sent to:ada:b@c, file:/a:b@c, a:/"},
		{"an address after a URL", "https://app.example:80 of ada@example.com", "https://app.example:80 of ada@example.com"},
		{"no password", "https://me@host:8080/a:b@c http://[::1]:80/ https://host:80?a@b a://", "https://me@host:8080/a:b@c http://[::1]:80/ https://host:80?a@b a://"},
		{"a field for a token", "X-Forwarded-Access-Token: abc\r\nAccept: */*", "X-Forwarded-Access-Token: REDACTED\r\nAccept: */*"},
		{"an assignment", "code_verifier = abc, page = 2", "code_verifier = REDACTED page = 2"},
		{"a header field", "Authorization: Bearer abc\r\nAccept: */*", "Authorization: REDACTED\r\nAccept: */*"},
		{"a bearer token", "got Bearer abcdefghijklm0123456789 from the client", "got Bearer REDACTED from the client"},
		{"basic credentials", "got Basic " + base64.StdEncoding.EncodeToString([]byte("app:secret")) + " from the client", "got Basic REDACTED from the client"},
		{"a sentence", "the state: connected, code: 404, Bearer token is missing", "the state: connected, code: 404, Bearer token is missing"},
		{"numbers", `{"code":404,"state":null}`, `{"code":404,"state":null}`},
		{"a JWT", "token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1In0.c2ln expired", "token REDACTED expired"},
		{"nothing", "handled request", "handled request"},
		{"a time", "2026-11-22T19:31:00Z 10.0.0.1:8080 http://10.0.0.1:8080/", "2026-11-22T19:31:00Z 10.0.0.1:8080 http://10.0.0.1:8080/"},

		// what a log line may be cut down to
		{"a short string", "ok", "ok"},
		{"the shortest secret", "otp=1", "otp=REDACTED"},
		{"nothing", "", ""},
		{"an escaped path of the gateway", "/oauth%2Fcallback?x=secret", "/oauth%2Fcallback?x=REDACTED"},
		{"an escaped path, twice", "/%256Fauth/callback?x=secret&scope=openid", "/%256Fauth/callback?x=REDACTED&scope=openid"},
		{"a parameter without a value", "/authorize?&client_id&scope=", "/authorize?&client_id&scope="},
		{"an empty value", "/authorize?x=&y=1", "/authorize?x=&y=REDACTED"},
		{"a fragment of the gateway's own", "/authorize#x=1?y=2;z=3", "/authorize#x=REDACTED?y=REDACTED;z=REDACTED"},
		{"a header as a parameter", "got cookie=a; b=c\r\nx=1", "got cookie=REDACTED\r\nx=1"},
		{"a header as the last line", "Cookie: a=b; c=d", "Cookie: REDACTED"},
		{"a header in a URL", "/x?authorization=abc&page=2", "/x?authorization=REDACTED&page=2"},
		{"a name at the end", "the access_token: ", "the access_token: "},
		{"a name with its colon at the end", `{"access_token":`, `{"access_token":`},
		{"a scheme of a URL", "code://x and state://y", "code://x and state://y"},
		{"a list that does not end", `{"code":["abc"`, `{"code":["REDACTED"`},
		{"a list without quotes that does not end", "map[code:[abc", "map[code:[REDACTED"},
		{"a quotation that does not end", `{"code":"abc`, `{"code":"REDACTED`},
		{"backslashes at the end", `{"code":\\`, `{"code":REDACTED`},
		{"an escaped quotation mark ends it", `x "/a?code=abc\" y"`, `x "/a?code=REDACTED\" y"`},
		{"an index that does not end", "/cb?page=2&code[", "/cb?page=2&code["},
		{"one that ends the text", "/cb?page=2&code[0]", "/cb?page=2&code[0]"},
		{"a long index", "/cb?code[123456789]=abc", "/cb?code[123456789]=REDACTED"},
		{"an index without a value", "/cb?code[0]", "/cb?code[0]"},
		{"a broken escape", "/cb?code=%zz&page=%", "/cb?code=REDACTED&page=%"},
		{"a broken name", "/cb?%63ode%=abc", "/cb?%63ode%=abc"},
		{"a word after a scheme", "Bearer authentication is needed here", "Bearer authentication is needed here"},
		{"short basic credentials", "got Basic YTpi from", "got Basic REDACTED from"},
		{"a short word after basic", "got Basic YWI= from", "got Basic YWI= from"},
		{"a number of five digits", `{"code":40400}`, `{"code":40400}`},
		{"a number of six digits", `{"code":404000}`, `{"code":REDACTED}`},
		{"true, false, nil", "{Code:true State:false Nonce:<nil> Token:null}", "{Code:true State:false Nonce:<nil> Token:null}"},
		{"a word of sixteen letters after a colon", "state: abcdefghijklmnop", "state: REDACTED"},
		{"a word of fifteen", "state: abcdefghijklmno", "state: abcdefghijklmno"},
		{"an input of another name", `<input name=code value="x"><input name="page" value="code">`, `<input name=code value="x"><input name="page" value="code">`},
		{"an input whose tag has ended", `<input name="code"><p value="x">`, `<input name="code"><p value="x">`},
		{"single quotation marks", `{'code': 'abc', 'page': '2'}`, `{'code': 'REDACTED', 'page': '2'}`},
		{"tabs and lines", "code\t=\tabc\nstate = x", "code\t=\tREDACTED\nstate = REDACTED"},
		{"a plus before the value", "code =+abc&page=2 x", "code =+REDACTED&page=2 x"},
		{"a name of more than 64 letters", strings.Repeat("a", 64) + "code=x page=1", strings.Repeat("a", 64) + "code=x page=1"},

		// where values end: RFC 3986 section 2.2, RFC 8259 section 7
		// in URLs
		{"an escaped ampersand is part of the value", "/cb?code=a%26b&page=2", "/cb?code=REDACTED&page=2"},
		{"an escaped hash, too", "/cb?code=a%23b#page=2", "/cb?code=REDACTED#page=2"},
		{"a quotation mark in the path", `/"x?code=a"b&page=2`, `/"x?code=REDACTED&page=2`},
		{"a quotation mark", `/cb?code="abc&page=2`, `/cb?code=REDACTED&page=2`},
		{"an escaped quotation mark", `/cb?code=a\"b&page=2`, `/cb?code=REDACTED&page=2`},
		{"brackets", "/cb?code=a<b>c&page=2", "/cb?code=REDACTED&page=2"},
		{"a space in a form", "/cb?code=+abc&page=2", "/cb?code=REDACTED&page=2"},
		{"an assignment in a form", "/x?note=code+%3D+abc&page=2", "/x?note=code+%3D+REDACTED&page=2"},
		{"an escaped index", "/cb?state%5B0%5D%3Dabc&page=2", "/cb?state%5B0%5D%3DREDACTED&page=2"},
		{"a name as an index", "/x?user[password]=abc&login[a][code]=abd&a[0]=2", "/x?user[password]=REDACTED&login[a][code]=REDACTED&a[0]=2"},
		{"an index that is none", "/x?code[a.b]=abc&code[0]:abc", "/x?code[a.b]=abc&code[0]:abc"},
		{"a parameter that is called name", "/x?name=me&code=abc", "/x?name=me&code=REDACTED"},
		{"a separator ends a name", "/x?pass:word=1&to[ken=2&co.de=3&to:ken:x", "/x?pass:word=1&to[ken=2&co.de=3&to:ken:x"},
		{"a name with a hyphen", "/x?zip-code=12345", "/x?zip-code=12345"},
		// in text
		{"white space", "code=a\tcode=b\rcode=c\ncode=d page=2", "code=REDACTED\tcode=REDACTED\rcode=REDACTED\ncode=REDACTED page=2"},
		{"a tag", "<p>/cb?code=abc<br>x <a href=/cb?code=abd>x</a>", "<p>/cb?code=REDACTED<br>x <a href=/cb?code=REDACTED>x</a>"},
		{"an escaped space is part of the value", `Get "/cb?code=a%20b&page=2"`, `Get "/cb?code=REDACTED&page=2"`},
		{"a backslash, too", `Get "/cb?code=a\b&page=2"`, `Get "/cb?code=REDACTED&page=2"`},
		{"an empty value in a sentence", "got code= from the app", "got code= from the app"},
		{"an empty header field as a parameter", "got cookie=\r\nx=1", "got cookie=\r\nx=1"},
		{"header fields with a hyphen", "Set-Cookie: a=b; c=d\nProxy-Authorization: Basic e", "Set-Cookie: REDACTED\nProxy-Authorization: REDACTED"},
		{"text without white space: an object", `{"a":"/cb?code=abc","b":"x"}`, `{"a":"/cb?code=REDACTED","b":"x"}`},
		{"a list", `["/cb?code=abc","x"]`, `["/cb?code=REDACTED","x"]`},
		{"a string", `"/cb?code=abc","x"`, `"/cb?code=REDACTED","x"`},
		{"a tag without white space", `<b>/cb?code=abc</b>`, `<b>/cb?code=REDACTED</b>`},
		{"the gateway's own URL in text: known names only", `Get "https://login.example/authorize?x=1&state=xyz": EOF`, `Get "https://login.example/authorize?x=1&state=REDACTED": EOF`},
		// in quotations
		{"empty", `{"code":"","page":"2"}`, `{"code":"","page":"2"}`},
		{"an escaped quotation mark in JSON in a URL", `{"code":"a%22b","page":"2"}`, `{"code":"REDACTED","page":"2"}`},
		{"quoted twice", `"{\\\"code\\\":\\\"abc\\\",\\\"page\\\":2}"`, `"{\\\"code\\\":\\\"REDACTED\\\",\\\"page\\\":2}"`},
		{"a backslash within", `{"code":"a\\b\"c","page":2}`, `{"code":"REDACTED","page":2}`},
		{"the other quotation mark", `{"code":"it's","page":'2'}`, `{"code":"REDACTED","page":'2'}`},
		{"a list in JSON with white space", `{"code": ["abc", "abd"], "page": 2}`, `{"code": ["REDACTED", "REDACTED"], "page": 2}`},
		{"a list that is quoted", `"{\"code\":[\"abc\",\"abd\"],\"page\":2}"`, `"{\"code\":[\"REDACTED\",\"REDACTED\"],\"page\":2}"`},
		{"a list of YAML", `sealing_keys: [abc, "d]e", abd]`, `sealing_keys: [REDACTED"REDACTED", REDACTED]`},
		{"a hidden input with more attributes", `<input name="code" type="hidden" value="abc">`, `<input name="code" type="hidden" value="REDACTED">`},
		{"a hidden input in capitals", `<INPUT NAME="code" VALUE="abc">`, `<INPUT NAME="code" VALUE="REDACTED">`},
		// bare words
		{"in brackets", "[code:abc] page:2", "[code:REDACTED] page:2"},
		{"in braces", "{Code:abc} page:2", "{Code:REDACTED} page:2"},
		{"in quotation marks", `"code:abc" page:2`, `"code:REDACTED" page:2`},
		{"between ampersands", "code:abc&page:2", "code:REDACTED&page:2"},
		{"between commas", "code:abc,page:2", "code:REDACTED,page:2"},
		{"one of five letters", "code:abcde page:2", "code:REDACTED page:2"},

		// without a name: RFC 7519 section 3, RFC 7235 section 2.1, RFC 7617 section 2
		{"a JWT of twenty characters", "eyJhbGciOiJIUzI1.e30", "REDACTED"},
		{"one of nineteen is none", "the eyJhbGciOiJIUzI.e30", "the eyJhbGciOiJIUzI.e30"},
		{"without a dot it is none", "the eyJhbGciOiJIUzI1NiJ9abc there", "the eyJhbGciOiJIUzI1NiJ9abc there"},
		{"a dot that ends the sentence is none", "the eyJhbGciOiJIUzI1NiJ9.. There", "the eyJhbGciOiJIUzI1NiJ9.. There"},
		{"at the end of a sentence", "the eyJhbGciOiJIUzI1NiJ9.e30...", "the REDACTED..."},
		{"before a slash", "/x/eyJhbGciOiJIUzI1NiJ9.e30/y", "/x/REDACTED/y"},
		{"two", "eyJhbGciOiJIUzI1NiJ9.e30 eyJhbGciOiJIUzI1NiJ9.e30", "REDACTED REDACTED"},
		{"within a word", "the file keyJournalOfAllTheEntries.example.com", "the file keyJournalOfAllTheEntries.example.com"},
		{"a long name", "the host www.the-longest-name-of-all.example.com", "the host www.the-longest-name-of-all.example.com"},

		{"credentials of sixteen characters", "got Bearer abcdefghijklmno1 there", "got Bearer REDACTED there"},
		{"of fifteen", "got Bearer abcdefghijklmn1 there", "got Bearer abcdefghijklmn1 there"},
		{"without a digit it is a word", "a Bearer authentication-is-needed here", "a Bearer authentication-is-needed here"},
		{"every character of a token68", "got Bearer abc-._~+/defghi0123== there", "got Bearer REDACTED there"},
		{"at the end of a word", "got Bearer abcdefghijklmno1, and more", "got Bearer REDACTED, and more"},
		{"at the end", "DPoP abcdefghijklmno1", "DPoP REDACTED"},
		{"in quotation marks", `"Bearer abcdefghijklmno1"`, `"Bearer REDACTED"`},
		{"in a URL", "/x?a=Bearer%20abcdefghijklmno1&page=2", "/x?a=Bearer%20REDACTED&page=2"},
		{"a line later", "bearer\r\nabcdefghijklmno1", "bearer\r\nREDACTED"},
		{"another scheme", "got Digest abcdefghijklmno1 there", "got Digest abcdefghijklmno1 there"},
		{"the scheme in quotation marks", `"Bearer"abcdefghijklmno1`, `"Bearer"abcdefghijklmno1`},
		{"a user and a password", "Basic " + basic("a:b"), "Basic REDACTED"},
		{"a password without a user", "Basic " + basic(":b"), "Basic REDACTED"},
		{"base64 without a colon", "Basic " + basic("knowledge"), "Basic " + basic("knowledge")},
		{"no base64", "Basic YTpi-or-so", "Basic YTpi-or-so"},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.want, Text(test.text))
			require.Equal(t, test.want, Text(test.want), "once is enough")
		})
	}
}

func TestWhatTheGatewayHasSealedIsRecognized(t *testing.T) {
	keys, err := seal.NewKeys([][]byte{[]byte("0123456789abcdef0123456789abcdef")}, time.Now)
	require.NoError(t, err)
	code := keys.Seal("code", "", []byte("x"))
	refresh := keys.SealLasting("refresh", "", []byte("x"))
	require.Equal(t, "REDACTED", Text(code))
	require.Equal(t, "it was REDACTED.", Text("it was "+code+"."))
	require.Equal(t, "/x/REDACTED", Text("/x/"+refresh))
	token := seal.AccessTokenPrefix + keys.Seal("access token", "", []byte("x"))
	for _, sealed := range []string{code, refresh, token, "eyJhbGciOiJIUzI1NiJ9.e30.c2ln"} {
		everywhere := ""
		for _, c := range []byte(sealed) {
			everywhere += "%" + hexOf(c)
		}
		require.Equal(t, "/x/REDACTED/y?z=1", Text("/x/"+everywhere+"/y?z=1"))
		for at := range sealed {
			for _, escape := range []string{"%", "%25", "%2525", `\u00`} {
				require.Equal(t, "/x/REDACTED/y", Text("/x/"+sealed[:at]+escape+hexOf(sealed[at])+sealed[at+1:]+"/y"))
			}
		}
	}
	require.Equal(t, "/x/REDACTED/y", Text("/x/"+strings.Replace(token, "_", "%5f", 1)+"/y"))
	require.Equal(t, "/x/REDACTED/y", Text("/x/of-"+token+"/y"))
	require.Equal(t, "/x/a%5fname-of%2da_file%2epdf", Text("/x/a%5fname-of%2da_file%2epdf"))
	const digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	require.Equal(t, digest, Text(digest))
}

// secret is what FuzzText looks for. It has no character that ends a value.
const secret = "s3cr3t-Value_0123456789"

// FuzzText puts a secret into a request, encodes that again, puts text around it, and
// must not find the secret in what Text leaves.
func FuzzText(f *testing.F) {
	f.Add("code", "/cb?", "&page=2", uint8(0), uint8(0))
	f.Add("state", "https://app.example/cb?page=2&", "#top", uint8(1), uint8(1))
	f.Add("Access_Token", "#", "&token_type=Bearer", uint8(2), uint8(2))
	f.Add("refresh_token", "grant_type=refresh_token&", "", uint8(3), uint8(3))
	f.Add("code_verifier", `body: {"a":1,`, `,"b":["c"]}`, uint8(1), uint8(4))
	f.Add("id_token_hint", "map[client_id:[app] ", "]", uint8(0), uint8(5))
	f.Add("login-verifier", "map[ticket:[x] ", "]", uint8(1), uint8(5))
	f.Add("client_secret", `Post "https://idp/token": `, "\n", uint8(2), uint8(6))
	f.Fuzz(func(t *testing.T, name, before, after string, encodings, form uint8) {
		for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return r > 0x7f || !isNameChar(byte(r)) }) {
			name = word
		}
		if !IsParameter(name) {
			name = "code"
		}
		pair := name + "=" + secret
		separator := "&"
		switch form % 7 {
		case 1:
			pair = strings.Replace(pair, name[:1], "%"+hexOf(name[0]), 1)
		case 2:
			pair = name + "[]=" + secret
		case 3:
			pair, separator = `"`+name+`":"`+secret+`"`, ","
		case 4:
			pair, separator = `"`+name+`": ["`+secret+`"]`, ","
		case 5:
			pair, separator = name+":["+secret+"]", " "
		case 6:
			pair, separator = `\"`+name+`\":\"`+secret+`\"`, ","
		}
		for range encodings % 4 {
			pair, separator = url.QueryEscape(pair), url.QueryEscape(separator)
		}
		// What surrounds it must neither be inside a quotation that never ends, nor
		// continue the name.
		text := before + separator + pair + separator + after
		redacted := Text(text)
		if strings.Contains(before+after, secret) {
			return
		}
		if strings.Contains(redacted, secret) {
			t.Errorf("Text(%q) = %q", text, redacted)
		}
		if again := Text(redacted); strings.Contains(again, secret) {
			t.Errorf("Text(%q) = %q", redacted, again)
		}
	})
}

func hexOf(c byte) string {
	const digits = "0123456789ABCDEF"
	return string([]byte{digits[c>>4], digits[c&15]})
}

func TestBase64ThatIsNotText(t *testing.T) {
	for _, plain := range []string{"nothing to see here", "\x00\x01\x02code=abc", "code=abc and then \xff"} {
		encoded := base64.StdEncoding.EncodeToString([]byte(plain))
		require.Equal(t, encoded, Text(encoded), "%q", plain)
	}
	encoded := base64.StdEncoding.EncodeToString([]byte("code=abc\nstate=x\tÄ"))
	require.Equal(t, base64.StdEncoding.EncodeToString([]byte("code=REDACTED\nstate=REDACTED\tÄ")), Text(encoded))
}

// TestBase64InAllItsForms: RFC 4648 sections 4 and 5, with padding or without, RFC 2045 section 6.8.
func TestBase64InAllItsForms(t *testing.T) {
	const plain, redacted = "code=abc&a=>>>???Ä", "code=REDACTED&a=>>>???Ä"
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		require.Equal(t, encoding.EncodeToString([]byte(redacted)), Text(encoding.EncodeToString([]byte(plain))))
	}
	encoded := base64.StdEncoding.EncodeToString([]byte(plain))
	require.Equal(t, base64.StdEncoding.EncodeToString([]byte(redacted)), Text(encoded[:8]+"\r\n"+encoded[8:]+"\n"), "in lines")
	without := base64.StdEncoding.EncodeToString([]byte("nothing to see here"))
	require.Equal(t, without[:8]+"\n"+without[8:], Text(without[:8]+"\n"+without[8:]), "without a secret it stays as it is")
	twice := base64.StdEncoding.EncodeToString([]byte(encoded))
	require.Equal(t, base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString([]byte(redacted)))), Text(twice), "twice")
}

func TestNamesOfSecrets(t *testing.T) {
	for _, name := range []string{
		"code", "state", "nonce", "code_challenge", "code_verifier", "access_token", "refresh_token", "id_token", "id_token_hint", "logout_token", "token",
		"client_secret", "client_assertion", "assertion", "subject_token", "actor_token", "device_code", "user_code", "auth_req_id", "login_hint_token",
		"registration_access_token", "session_state", "password", "passwd", "otp", "mfa_token", "oob_code", "binding_code", "samlresponse", "samlrequest",
		"wresult", "accessToken", "AccessToken", "access-token", "clientsecret", "secret", "sealing_key", "sealing_keys", "oauth_token", "oauth_token_secret", "oauth_verifier", "SAMLResponse",
		"auth_code", "authCode", "authorization_code", "Authorization-Code", "pre-authorized_code", "request_uri", "requestUri", "REQUEST_URI", "ticket", "Ticket",
		"login_ticket", "login_challenge", "login_verifier", "consent_challenge", "consent_verifier", "logout_challenge", "logout_verifier",
		"device_challenge", "device_verifier", "session_code", "client_data", "sessionToken", "stateToken", "stateHandle", "interaction_code",
		"interaction_handle", "passcode", "totp", "mfa_code", "recovery_code", "verification_code", "SAMLart", "RelayState", "wctx",
		"session_id", "sessionId",
	} {
		require.True(t, IsParameter(name), name)
		require.Equal(t, "/x?"+name+"=REDACTED", Text("/x?"+name+"=value"))
	}
	for _, name := range []string{"authorization", "Proxy-Authorization", "COOKIE", "set-cookie", "dpop", "X-Access-Token", "x-amzn-oidc-accesstoken", "Mcp-Session-Id"} {
		require.True(t, IsHeader(name), name)
	}
	for _, name := range []string{
		"", "page", "client_id", "accept", "scope", "zip-code", "zipcode", "next-page-token", "X-Tokens",
		"request", "uri", "tickets", "ticket_id", "execution", "tab_id", "wa", "session", "location",
	} {
		require.False(t, IsParameter(name), name)
		require.False(t, IsHeader(name), name)
	}
}

// TestCharacters: RFC 3986 section 2.1, any number of times.
func TestCharacters(t *testing.T) {
	for _, test := range []struct {
		text        string
		char        byte
		depth, size int
	}{
		{"a=", 'a', 0, 1},
		{"%3D=", '=', 1, 3},
		{"%3d", '=', 1, 3},
		{"%253D", '=', 2, 5},
		{"%25253D", '=', 3, 7},
		{"%00", 0, 1, 3},
		{"%fF", 0xff, 1, 3},
		{"%", '%', 0, 1},
		{"%3", '%', 0, 1},
		{"%3G", '%', 0, 1},
		{"%G3", '%', 0, 1},
		{"%25", '%', 1, 3},
		{"%253", '%', 1, 3},
		{"%2525x", '%', 2, 5},
		{`\u003d0`, '=', 1, 6},
		{`\u003`, '\\', 0, 1},
		{`\u00zz`, '\\', 0, 1},
		{`\u013d`, '\\', 0, 1},
		{`\"`, '\\', 0, 1},
	} {
		char, depth, size := unit(test.text, 0)
		require.Equal(t, []any{test.char, test.depth, test.size}, []any{char, depth, size}, test.text)
		char, depth, size = unit("%"+test.text, 1)
		require.Equal(t, []any{test.char, test.depth, test.size}, []any{char, depth, size}, "behind something: %s", test.text)
	}
}

// TestTheGatewaysOwnURLs: of a query at one of these paths, however it is written, only what is known is shown.
func TestTheGatewaysOwnURLs(t *testing.T) {
	for _, path := range []string{
		"/authorize", "/oauth/token", "/userinfo", "/v2/logout", "/oauth/revoke", "/oauth/consent", "/oauth/callback",
		"/idp/authorize", "https://login.example/authorize", "/AUTHORIZE", "/authorize/", "//authorize", "/oauth//callback", "/oauth/./token", "/x/../userinfo",
		"/%61uthorize", "/oauth%2Fcallback", "/oauth%252fcallback",
	} {
		require.Equal(t, path+"?x=REDACTED&client_id=app", Text(path+"?x=secret&client_id=app"), path)
	}
	for _, path := range []string{"", "/", "/authorized", "/authorize/x", "/token", "/logout", "/x"} {
		require.Equal(t, path+"?x=value&client_id=app", Text(path+"?x=value&client_id=app"), path)
	}
	for _, test := range []struct{ name, text, want string }{
		{"a name with an escape", "/authorize?%63lient_id=app&%78=1", "/authorize?%63lient_id=app&%78=REDACTED"},
		{"a quotation mark in what is shown", `/authorize?redirect_uri=https://app/cb%3Fcode="a"b&x=1`, `/authorize?redirect_uri=https://app/cb%3Fcode=REDACTED&x=REDACTED`},
		{"a quotation mark in a name", `/authorize?code%3Da"b=1`, `/authorize?code%3DREDACTED=REDACTED`},
		{"a quotation mark in the path", `/x;code=a"b/authorize?client_id=app`, `/x;code=REDACTED?client_id=app`},
	} {
		require.Equal(t, test.want, Text(test.text), test.name)
	}
}

// A log line has as much of a request as its sender likes: a megabyte by default. If each
// word were read together with all that follows it, this test would take half an hour.
func TestLongTextsTakeLinearTime(t *testing.T) {
	if testing.Short() {
		t.Skip("a megabyte in all")
	}
	for _, part := range []string{"a.", "eyJ.", "eyJ-", "Bearer ", "bearer+", "code[", "code[a]", `code:\`, `code="`, "state: ", "%25", "code%3D%22", "[", "<input name=code ", "a://a:", "://:@", `\u0026`} {
		text := strings.Repeat(part, 1<<17/len(part))
		Text(text)
		Text("in a text: " + text)
	}
}
