package idp

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/grants"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jsonobject"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// jwtOf is a JWT with these claims, which nobody has to verify.
func jwtOf(claims string) string {
	return "eyJhbGciOiJFUzI1NiJ9." + base64.RawURLEncoding.EncodeToString([]byte(claims)) + ".c2ln"
}

const opaqueToken = "2YotnFZFEjr1zCsicMWpAA"

func TestATokenIsHeldToTheClientsLists(t *testing.T) {
	const small = "https://api.small.example"
	entra := "https://login.microsoftonline.com/8eaef023-2b34-4da1-9baa-8bc8c9d6a490/v2.0"
	keycloak := func(c *Config) {
		c.Endpoints = map[Endpoint]string{Token: "/realms/staff/protocol/openid-connect/token"}
	}
	for name, tc := range map[string]struct {
		scopes, audiences string
		at                string // the IdP
		with              func(*Config)
		scope             string // the member; "-" for none
		token             string // "" for an opaque one
		more              string // members of the response
		says              string
	}{
		"what was asked for":                     {scopes: "openid read", scope: "openid read"},
		"less":                                   {scopes: "openid read write", scope: "read"},
		"none":                                   {scopes: "openid read", scope: ""},
		"more":                                   {scopes: "read", scope: "read admin", says: "scope admin, which is not registered"},
		"more, after other white space":          {scopes: "read", scope: "read\tadmin\n", says: "scope admin"},
		"offline_access":                         {scopes: "read", scope: "read offline_access", says: "scope offline_access"},
		"in upper case":                          {scopes: "read", scope: "Read", says: "scope Read"},
		"who the user is, unasked (Keycloak)":    {scopes: "read", scope: "openid profile email read"},
		"the address, unasked":                   {scopes: "read", scope: "read address", says: "scope address"},
		"no list of scopes":                      {audiences: small, scope: "admin"},
		"separated by commas (GitHub)":           {scopes: "repo gist", scope: "gist,repo"},
		"more, separated by commas":              {scopes: "repo gist", scope: "gist,admin:org", says: "scope gist,admin:org"},
		"a comma at the end":                     {scopes: "repo gist", scope: "gist,", says: "scope gist,"},
		"Entra's unasked scope elsewhere":        {scopes: "read", scope: "user.read", says: "scope user.read"},
		"a list (Twitch)":                        {scopes: "read", scope: `["read","admin"]`, says: "scope admin"},
		"Google's names":                         {scopes: "openid email profile", scope: "https://www.googleapis.com/auth/userinfo.email openid https://www.googleapis.com/auth/userinfo.profile"},
		"Google's names, asked by the long ones": {scopes: "https://www.googleapis.com/auth/userinfo.email", scope: "email openid"},
		"another scope of Google's":              {scopes: "openid email", scope: "openid https://www.googleapis.com/auth/drive", says: "auth/drive"},

		"Graph's scopes in full":            {at: entra, scopes: "openid mail.read offline_access", scope: "https://graph.microsoft.com/Mail.Read openid"},
		"Graph's scopes in short":           {at: entra, scopes: "https://graph.microsoft.com/Mail.Read", scope: "Mail.Read profile openid email"},
		"Graph's scopes by its id":          {at: entra, scopes: "Mail.Read", scope: "00000003-0000-0000-c000-000000000000/Mail.Read"},
		"User.Read, granted earlier":        {at: entra, scopes: "openid profile email offline_access", scope: "openid profile User.Read email"},
		"others, granted earlier":           {at: entra, scopes: "openid profile email", scope: "openid Calendars.ReadWrite", says: "scope Calendars.ReadWrite"},
		"an API of one's own":               {at: entra, scopes: "api://11111111-2222-3333-4444-555555555555/read", scope: "api://11111111-2222-3333-4444-555555555555/read"},
		"all of an API":                     {at: entra, scopes: "api://small/.default", scope: "api://small/read api://small/write api://small/.default"},
		"all of an API, and of another":     {at: entra, scopes: "api://small/.default", scope: "api://small/read api://smaller/read", says: "api://smaller/read"},
		"all of an API is not what follows": {at: entra, scopes: "api://small/.default", scope: "api://small/big/read", says: "api://small/big/read"},
		"all of Graph":                      {at: entra, scopes: "https://graph.microsoft.com/.default", scope: "Mail.Read https://graph.microsoft.com/User.Read"},
		"all of Graph is no other API":      {at: entra, scopes: "https://graph.microsoft.com/.default", scope: "api://big/read", says: "api://big/read"},
		"all of an API is no short name":    {at: entra, scopes: "api://small/.default", scope: "admin", says: "scope admin"},
		"a scope that ends like an API":     {at: entra, scopes: "api://small/", scope: "api://small/read", says: "api://small/read"},
		"a name that ends in .default":      {at: entra, scopes: "api://small.default", scope: "api://smaller", says: "api://smaller"},
		"Graph itself":                      {at: entra, scopes: "https://graph.microsoft.com/.default", scope: "https://graph.microsoft.com/", says: "graph.microsoft.com"},
		"a short name of another API":       {at: entra, scopes: "read", scope: "api://big/read", says: "api://big/read"},
		".default elsewhere":                {scopes: "api://small/.default", scope: "api://small/read", says: "api://small/read"},
		"Graph elsewhere":                   {scopes: "Mail.Read", scope: "https://graph.microsoft.com/Mail.Read", says: "graph.microsoft.com"},

		"a JWT says it":                    {scopes: "read", scope: "-", token: jwtOf(`{"scope":"read admin"}`), says: "scope admin"},
		"a JWT of Okta's says it":          {scopes: "read", scope: "-", token: jwtOf(`{"scp":["read","admin"]}`), says: "scope admin"},
		"a JWT says it in both":            {scopes: "read", scope: "-", token: jwtOf(`{"scope":"read","scp":"admin"}`), says: "scope admin"},
		"a JWT has no more":                {scopes: "read", scope: "-", token: jwtOf(`{"scope":"read"}`)},
		"the member counts (Entra's scp)":  {at: entra, scopes: "api://small/read", scope: "api://small/read", token: jwtOf(`{"scp":"read"}`)},
		"opaque, and nothing says it":      {scopes: "read", audiences: small, scope: "-"},
		"a JWT that says nothing":          {scopes: "read", audiences: small, scope: "-", token: jwtOf(`{"scope":7}`)},
		"the member names none":            {scopes: "read", scope: "", token: jwtOf(`{"scope":"admin"}`), says: "scope admin"},
		"the member is no list of names":   {scopes: "read", scope: `["read",7]`, token: jwtOf(`{"scope":"admin"}`), says: "scope admin"},
		"null":                             {scopes: "read", scope: "null", token: jwtOf(`{"scope":"admin"}`), says: "scope admin"},
		"a JWT that can't be read":         {scopes: "read", scope: "read", token: jwtOf(`{"scope":"read","scope":"admin"}`), says: "can't be read"},
		"a JWT whose claims are no base64": {scopes: "read", scope: "read", token: "eyJhbGciOiJFUzI1NiJ9.!!.c2ln", says: "can't be read"},
		"claims with something behind":     {scopes: "read", scope: "read", token: strings.Replace(jwtOf(`{"scope":"read"}  `), ".c2ln", "!.c2ln", 1), says: "can't be read"},
		"a header that is no base64":       {scopes: "read", scope: "read", token: "eyJh!.e30.c2ln!"},
		"a header that is no object":       {scopes: "read", scope: "read", token: "WzFd.b.c"},
		"three parts that are no JWT":      {scopes: "read", scope: "read", token: "a.b.c"},
		"encrypted":                        {audiences: small, scope: "read", token: "eyJhbGciOiJFUzI1NiJ9.a.b.c.d"},

		"authorization_details":                   {scopes: "read", scope: "-", more: `,"authorization_details":[{"type":"payment"}]`, says: "granted authorization_details"},
		"authorization_details that are none":     {scopes: "read", scope: "-", more: `,"authorization_details":[]`},
		"authorization_details that are null":     {scopes: "read", scope: "-", more: `,"authorization_details":null`},
		"authorization_details that are a number": {scopes: "read", scope: "-", more: `,"authorization_details":7`, says: "granted authorization_details"},
		"authorization_details of a JWT":          {audiences: small, scope: "-", token: jwtOf(`{"authorization_details":[{"type":"payment"}]}`), says: "granted authorization_details"},
		"authorization_details that are allowed":  {scopes: "read", with: func(c *Config) { c.Clients[0].Parameters = []string{clients.AuthorizationDetails} }, scope: "-", more: `,"authorization_details":[{}]`},

		"its audience":                           {audiences: small, scope: "-", token: jwtOf(`{"aud":"https://api.small.example"}`)},
		"another audience":                       {audiences: small, scope: "-", token: jwtOf(`{"aud":"https://api.big.example"}`), says: "audience https://api.big.example, which is not registered"},
		"another one beside it":                  {audiences: small, scope: "-", token: jwtOf(`{"aud":["https://api.small.example","https://api.big.example"]}`), says: "audience https://api.big.example"},
		"a slash at the end":                     {audiences: small, scope: "-", token: jwtOf(`{"aud":"https://api.small.example/"}`), says: "audience https://api.small.example/"},
		"no list of audiences":                   {scopes: "read", scope: "read", token: jwtOf(`{"aud":"https://api.big.example"}`)},
		"no audience (Cognito)":                  {audiences: small, scope: "-", token: jwtOf(`{"client_id":"app"}`)},
		"an empty audience":                      {audiences: small, scope: "-", token: jwtOf(`{"aud":""}`), says: "audience "},
		"an audience that is a number":           {audiences: small, scope: "-", token: jwtOf(`{"aud":7}`), says: "can't be read"},
		"the client itself (Spring)":             {audiences: small, scope: "-", token: jwtOf(`{"aud":"app"}`)},
		"the gateway at the IdP":                 {audiences: small, scope: "-", token: jwtOf(`{"aud":"gateway"}`)},
		"the user info beside it (Auth0)":        {audiences: small, scope: "-", token: jwtOf(`{"iss":"https://t.auth0.com/","aud":["https://api.small.example","https://t.auth0.com/userinfo"]}`)},
		"the user info, where it is":             {audiences: small, scope: "-", token: jwtOf(`{"aud":["https://idp.example/userinfo"]}`)},
		"the management API (Auth0)":             {audiences: small, scope: "-", token: jwtOf(`{"iss":"https://t.auth0.com/","aud":"https://t.auth0.com/api/v2/"}`), says: "https://t.auth0.com/api/v2/"},
		"the issuer (Okta's organization)":       {audiences: small, scope: "-", token: jwtOf(`{"iss":"https://e.okta.com","aud":"https://e.okta.com"}`)},
		"account (Keycloak)":                     {audiences: small, with: keycloak, scope: "-", token: jwtOf(`{"aud":["https://api.small.example","account"]}`)},
		"realm-management (Keycloak)":            {audiences: small, with: keycloak, scope: "-", token: jwtOf(`{"aud":["realm-management","account"]}`), says: "realm-management"},
		"account (Keycloak), discovered":         {audiences: small, with: func(c *Config) { keycloak(c); c.Discover = true }, scope: "-", token: jwtOf(`{"aud":"account"}`)},
		"account, before anything is known":      {audiences: small, with: func(c *Config) { c.Discover = true }, scope: "-", token: jwtOf(`{"aud":"account"}`), says: "audience account"},
		"account elsewhere":                      {audiences: small, scope: "-", token: jwtOf(`{"aud":"account"}`), says: "audience account"},
		"the bare id of an API (Entra)":          {at: entra, audiences: "api://11111111-2222-3333-4444-555555555555", scope: "-", token: jwtOf(`{"aud":"11111111-2222-3333-4444-555555555555"}`)},
		"the bare id of another API (Entra)":     {at: entra, audiences: "api://11111111", scope: "-", token: jwtOf(`{"aud":"22222222"}`), says: "audience 22222222"},
		"the bare id of an API elsewhere":        {audiences: "api://11111111", scope: "-", token: jwtOf(`{"aud":"11111111"}`), says: "audience 11111111"},
		"a name as long as a log line":           {scopes: "read", scope: strings.Repeat("a", 120), says: strings.Repeat("a", 120) + ", which"},
		"a name one longer":                      {scopes: "read", scope: strings.Repeat("a", 121), says: strings.Repeat("a", 120) + "..., which"},
		"a name that is longer than a log line":  {scopes: "read", scope: strings.Repeat("a", 1000), says: strings.Repeat("a", 120) + "..., which"},
		"a name with what no description may be": {scopes: "read", scope: "\u00e4\\\"", says: "scope ???"},
	} {
		t.Run(name, func(t *testing.T) {
			p := testPolicy(t, func(c *Config) {
				c.AuthURL = "https://idp.example"
				if tc.at != "" {
					c.AuthURL = tc.at
				}
				c.Clients = []ClientConfig{{
					ID: "app", RedirectURIs: []string{"https://app.example/cb"}, Scopes: strings.Fields(tc.scopes), Audiences: strings.Fields(tc.audiences),
					IdPClient: &IdPClientConfig{ID: "gateway", Secret: "s"},
				}, {ID: "trusted", RedirectURIs: []string{"https://trusted.example/cb"}}}
				if tc.with != nil {
					tc.with(c)
				}
			})
			token := tc.token
			if token == "" {
				token = opaqueToken
			}
			body := `{"access_token":"` + token + `","token_type":"Bearer"`
			switch {
			case tc.scope == "-":
			case tc.scope == "null" || strings.HasPrefix(tc.scope, "["):
				body += `,"scope":` + tc.scope
			default:
				body += `,"scope":` + string(jsonobject.AppendString(nil, tc.scope))
			}
			response := Response{Status: 200, Header: http.Header{}, Body: []byte(body + tc.more + "}")}
			answer, err := p.checkTokenResponse(response, nil)
			require.NoError(t, err)
			for _, clientID := range []string{"trusted", "somebody"} {
				require.NoError(t, (&tokenRequest{Auth: clients.Auth{Party: p.registry.Find(clientID)}}).checkGranted(p, &answer.Token), "a client without lists")
			}
			err = (&tokenRequest{Auth: clients.Auth{Party: p.registry.Find("app")}}).checkGranted(p, &answer.Token)
			if tc.says == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, tc.says)
			requireWellFormed(t, err)
			require.Equal(t, http.StatusBadGateway, oauth.AsError(err).Status)
			require.NotContains(t, err.Error(), token, "no token is in an error")
			renewed := (&tokenRequest{Auth: clients.Auth{Party: p.registry.Find("app")}, tokenForm: tokenForm{Grant: grants.Refresh}}).checkGranted(p, &answer.Token)
			if tc.says == "can't be read" {
				require.Equal(t, "RFC 9068 section 2.2", oauth.AsError(err).Source)
			} else {
				require.Equal(t, "RFC 6749 section 3.3", oauth.AsError(err).Source)
				require.Equal(t, oauth.InvalidGrant, oauth.AsError(renewed).Code, "clients log in again, since the lists may have been made shorter")
				require.ErrorContains(t, renewed, tc.says)
				require.ErrorContains(t, renewed, "; log in again")
			}
		})
	}
}
