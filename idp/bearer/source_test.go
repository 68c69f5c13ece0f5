package bearer_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// RFC 6750 section 2: a request has its token in one place.
func TestWhereATokenComesFrom(t *testing.T) {
	both := bearer.Source{Cookie: "__Host-token", Header: "Cf-Access-Jwt-Assertion"}
	for name, test := range map[string]struct {
		header   http.Header
		token    string
		inCookie bool
		status   int
	}{
		"Authorization":               {header: http.Header{"Authorization": {"Bearer t"}}, token: "t"},
		"the cookie":                  {header: http.Header{"Cookie": {"a=b; __Host-token=t; c"}}, token: "t", inCookie: true},
		"in a field of its own":       {header: http.Header{"Cookie": {"a=b", "__Host-token=t"}}, token: "t", inCookie: true}, // HTTP/2
		"the field":                   {header: http.Header{"Cf-Access-Jwt-Assertion": {"t"}}, token: "t"},
		"none":                        {header: http.Header{}, status: 401},
		"cookie and Authorization":    {header: http.Header{"Cookie": {"__Host-token=t"}, "Authorization": {"Bearer t"}}, status: 400},
		"and another scheme":          {header: http.Header{"Cookie": {"__Host-token=t"}, "Authorization": {"Basic dTpw"}}, status: 400},
		"and an empty Authorization":  {header: http.Header{"Cookie": {"__Host-token=t"}, "Authorization": {""}}, status: 400},
		"field and Authorization":     {header: http.Header{"Cf-Access-Jwt-Assertion": {"t"}, "Authorization": {"Bearer t"}}, status: 400},
		"field and cookie":            {header: http.Header{"Cf-Access-Jwt-Assertion": {"t"}, "Cookie": {"__Host-token=t"}}, status: 400},
		"the cookie twice":            {header: http.Header{"Cookie": {"__Host-token=t; __Host-token=t"}}, status: 400},
		"twice, in two fields":        {header: http.Header{"Cookie": {"__Host-token=t", "__Host-token=u"}}, status: 400},
		"the field twice":             {header: http.Header{"Cf-Access-Jwt-Assertion": {"t", "t"}}, status: 400},
		"an empty cookie":             {header: http.Header{"Cookie": {"__Host-token="}}, status: 401},
		"a cookie without a value":    {header: http.Header{"Cookie": {"__Host-token"}}, status: 401},
		"in quotes":                   {header: http.Header{"Cookie": {`__Host-token="t"`}}, status: 401},
		"a scheme in the field":       {header: http.Header{"Cf-Access-Jwt-Assertion": {"Bearer t"}}, status: 401},
		"two in one field":            {header: http.Header{"Cf-Access-Jwt-Assertion": {"t, u"}}, status: 401},
		"a cookie of another name":    {header: http.Header{"Cookie": {"token=t; __host-token=t; __Host-token2=t; x__Host-token=t"}}, status: 401},
		"the name in another's value": {header: http.Header{"Cookie": {"a=__Host-token=t"}}, status: 401},
		"a name that Go trims":        {header: http.Header{"Cookie": {"__Host-token =u; __Host-token=t"}}, status: 400},
		"a name that Python trims":    {header: http.Header{"Cookie": {"__Host-token=t; \u2000__Host-token=u"}}, status: 400},
		"the same in Latin-1":         {header: http.Header{"Cookie": {"\xa0__Host-token=u; __Host-token=t"}}, status: 400},
		"the same beside a bearer":    {header: http.Header{"Cookie": {"\u2000__Host-token=u"}, "Authorization": {"Bearer t"}}, status: 400},
		"the same alone":              {header: http.Header{"Cookie": {"\u2000__Host-token=u"}}, status: 401},
		"with a proof":                {header: http.Header{"Cookie": {"__Host-token=t"}, "Dpop": {"x"}}, status: 400},
	} {
		token, inCookie, err := both.Token(test.header)
		if test.status == 0 {
			require.NoError(t, err, name)
			require.Equal(t, test.token, token, name)
			require.Equal(t, test.inCookie, inCookie, name)
			continue
		}
		require.Error(t, err, name)
		require.Empty(t, token, name)
		e := bearer.Challenge{}.With(oauth.AsError(err))
		require.Equal(t, test.status, e.Status, name)
	}
	_, _, err := bearer.Source{}.Token(http.Header{"Cookie": {"__Host-token=t"}, "Cf-Access-Jwt-Assertion": {"t"}})
	require.ErrorIs(t, err, bearer.ErrNone, "nobody has said that tokens come from there")
}

// A page of another site has browsers send cookies, too (RFC 9700 section 4.7; CVE-2018-1270's kind for WebSockets).
func TestRequestsOfOtherPages(t *testing.T) {
	const own = "https://app.example:8443/x"
	for name, test := range map[string]struct {
		method string
		header http.Header
		passes bool
	}{
		"a page":                         {"GET", nil, true},
		"a link elsewhere":               {"GET", http.Header{"Origin": {"https://evil.example"}}, true},
		"its own form":                   {"POST", http.Header{"Origin": {"https://app.example:8443"}}, true},
		"its own WebSocket":              {"GET", http.Header{"Upgrade": {"websocket"}, "Origin": {"https://app.example:8443"}}, true},
		"a form elsewhere":               {"POST", http.Header{"Origin": {"https://evil.example"}}, false},
		"a sandboxed frame":              {"POST", http.Header{"Origin": {"null"}}, false},
		"without Origin":                 {"POST", nil, false},
		"another port":                   {"DELETE", http.Header{"Origin": {"https://app.example"}}, false},
		"without TLS":                    {"PUT", http.Header{"Origin": {"http://app.example:8443"}}, false},
		"a host below":                   {"POST", http.Header{"Origin": {"https://x.app.example:8443"}}, false},
		"a host that begins like it":     {"POST", http.Header{"Origin": {"https://app.example:8443.evil.example"}}, false},
		"two origins":                    {"POST", http.Header{"Origin": {"https://app.example:8443", "https://evil.example"}}, false},
		"a WebSocket elsewhere":          {"GET", http.Header{"Upgrade": {"websocket"}, "Origin": {"https://evil.example"}}, false},
		"a WebSocket of a program":       {"GET", http.Header{"Upgrade": {"websocket"}}, false},
		"in another case":                {"GET", http.Header{"Upgrade": {"WebSocket"}}, false},
		"a WebSocket over HTTP/2":        {"CONNECT", http.Header{"Origin": {"https://evil.example"}}, false},
		"a method that nobody has named": {"PURGE", nil, false},
		"get, which is no GET":           {"get", nil, false},
	} {
		r := httptest.NewRequest("GET", own, nil)
		r.Method, r.Header = test.method, test.header
		if r.Header == nil {
			r.Header = make(http.Header)
		}
		err := bearer.FromOwnPage(r, own)
		require.Equal(t, test.passes, err == nil, name)
		if err != nil {
			require.Equal(t, http.StatusForbidden, oauth.AsError(err).Status, name)
		}
	}
	r := httptest.NewRequest("POST", own, nil)
	r.Header.Set("Origin", "://")
	require.Error(t, bearer.FromOwnPage(r, ""), "an address that is not known is nobody's")
}

func TestNamesOfCookiesAndFields(t *testing.T) {
	for _, good := range []bearer.Source{{}, {Cookie: "__Host-t"}, {Header: "X-Token"}} {
		require.NoError(t, good.Check())
	}
	for _, bad := range []bearer.Source{
		{Cookie: "token"},
		{Cookie: "__Host-"},
		{Cookie: "__Secure-t"},
		{Cookie: "__host-t"},
		{Cookie: "__Host-t;"},
		{Cookie: "__Host-t="},
		{Header: "authorization"},
		{Header: "Cookie"},
		{Header: "X Token"},
	} {
		require.ErrorContains(t, bad.Check(), "token_from", "%v", bad)
	}
}

// A token that is taken is the only one that the request has, also as net/http reads cookies.
func FuzzSource(f *testing.F) {
	for _, seed := range [][3]string{
		{"a=b; __Host-token=t; c", "", ""},
		{"__Host-token=t;__Host-token=u", "", ""},
		{"__Host-token=t, __Host-token=u", "", ""},
		{"", "Bearer t", ""},
		{"__Host-token=t", "Bearer u", ""},
		{"", "", "t"},
		{"__Host-token=t", "", "u"},
		{"__Host-token =t; =__Host-token=u", "", ""},
		{"__Host-token=\"t\"", "", ""},
		{"__Host-token =;__Host-token=0", "", ""},
		{"\u2000__Host-token=u", "Bearer t", ""},
		{"__Host-token=t==; x", "", ""},
		{"\t__Host-token=t\n", "", ""},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	both := bearer.Source{Cookie: "__Host-token", Header: "X-Token"}
	f.Fuzz(func(t *testing.T, cookie, authorization, field string) {
		header := make(http.Header)
		for name, value := range map[string]string{"Cookie": cookie, "Authorization": authorization, "X-Token": field} {
			if value != "" {
				header.Set(name, value)
			}
		}
		token, inCookie, err := both.Token(header)
		if err != nil {
			require.Empty(t, token)
			require.False(t, inCookie)
			return
		}
		places := 0
		for _, value := range []string{authorization, field} {
			if value != "" {
				places++
				require.Contains(t, value, token)
			}
		}
		if inCookie {
			cookies := (&http.Request{Header: header}).CookiesNamed("__Host-token")
			require.Len(t, cookies, 1)
			require.Equal(t, token, cookies[0].Value)
			places++
		}
		require.Equal(t, 1, places)
		require.NotContains(t, token, " ")
	})
}
