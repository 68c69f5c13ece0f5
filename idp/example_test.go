package idp_test

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

var exampleConfig = idp.Config{
	AuthURL:    "https://your-tenant.eu.auth0.com",
	Parameters: idp.OAuthParameters,
	Clients: []idp.ClientConfig{{
		ID:           "5f9YqR7o3sKq2Wb1",
		RedirectURIs: []string{"https://app.example.com/callback"},
	}},
}

func ExamplePolicy_ParseAuthorize() {
	policy, err := idp.NewPolicy(exampleConfig)
	if err != nil {
		log.Fatal(err)
	}

	// A login without PKCE, as it stands in the query of GET /authorize.
	_, err = policy.ParseAuthorize("response_type=code&client_id=5f9YqR7o3sKq2Wb1")
	rejection := idp.AsError(err)
	fmt.Println(rejection.Status, rejection.Code)
	fmt.Println(rejection.Source)
	// Output:
	// 400 invalid_request
	// RFC 7636 section 4.3
}

func ExamplePolicy_Route() {
	policy, err := idp.NewPolicy(exampleConfig)
	if err != nil {
		log.Fatal(err)
	}

	for _, path := range []string{"/oauth/token", "/OAuth//token", "/assets/logo.svg"} {
		endpoint, verdict := policy.Route(http.MethodPost, path)
		switch verdict {
		case idp.Match:
			fmt.Println(path, "is the endpoint", endpoint)
		case idp.PassThrough:
			fmt.Println(path, "is none")
		default:
			fmt.Println(path, "is rejected:", idp.AsError(idp.RejectRoute(endpoint, verdict)).Description)
		}
	}
	// Output:
	// /oauth/token is the endpoint token
	// /OAuth//token is rejected: this path is not served; write the endpoint exactly as /oauth/token
	// /assets/logo.svg is none
}

// A login with a callback, from the app's request to the request for its tokens.
// The gateway remembers nothing in between, so each step needs the same keys only.
func ExamplePolicy_Callback() {
	config := exampleConfig
	config.PublicURL, config.Callback = "https://login.example.com", new(idp.CallbackConfig)
	policy, err := idp.NewPolicy(config)
	if err != nil {
		log.Fatal(err)
	}
	master := make([]byte, seal.MinMaster)
	_, _ = rand.Read(master) // never fails
	keys, err := seal.NewKeys([][]byte{master}, time.Now)
	if err != nil {
		log.Fatal(err)
	}
	sealing := idp.Sealing{Keys: keys, Now: time.Now(), Callback: policy.CallbackURL("")}

	// GET /authorize of the app, whose answer is a redirect to the IdP.
	login, err := policy.ParseAuthorize("response_type=code&client_id=5f9YqR7o3sKq2Wb1&state=of-the-app" +
		"&redirect_uri=https%3A%2F%2Fapp.example.com%2Fcallback" +
		"&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256")
	if err != nil {
		log.Fatal(err)
	}
	atIdP, err := url.Parse(policy.AuthorizeURL(&login, sealing))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("The user logs in at", atIdP.Host, "which sends him to", atIdP.Query().Get("redirect_uri"))

	// The IdP's answer, which the browser brings to the callback.
	answer := url.Values{"code": {"of-the-idp"}, "state": {atIdP.Query().Get("state")}}
	request, err := idp.ParseCallback(http.MethodGet, answer.Encode(), nil, "")
	if err != nil {
		log.Fatal(err)
	}
	response, err := policy.Callback(sealing, request)
	if err != nil {
		log.Fatal(err)
	}
	atApp, err := url.Parse(response.Header.Get("Location"))
	if err != nil {
		log.Fatal(err)
	}
	code := atApp.Query().Get("code")
	fmt.Println("He comes back to", atApp.Host, "with the state", atApp.Query().Get("state"), "and the IdP's code:", code == "of-the-idp")

	// POST /oauth/token of the app. Code and verifier are checked before the IdP is
	// asked. Whoever sends the call claims redemption.Key in a replay.Store before.
	form := url.Values{
		"grant_type":    {"authorization_code"},
		"client_id":     {"5f9YqR7o3sKq2Wb1"},
		"redirect_uri":  {"https://app.example.com/callback"},
		"code":          {code},
		"code_verifier": {"dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"},
	}
	header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	token, err := policy.ParseToken("", header, form.Encode())
	if err != nil {
		log.Fatal(err)
	}
	redemption, err := policy.OpenCode(sealing, &token)
	if err != nil {
		log.Fatal(err)
	}
	call, err := policy.TokenCall(&token, redemption, nil, "", time.Now())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("The IdP gets its own code:", bytes.Contains(call.Form, []byte("&code=of-the-idp&")))
	// Output:
	// The user logs in at your-tenant.eu.auth0.com which sends him to https://login.example.com/oauth/callback
	// He comes back to app.example.com with the state of-the-app and the IdP's code: false
	// The IdP gets its own code: true
}

func ExamplePolicy_CheckTokenResponse() {
	policy, err := idp.NewPolicy(exampleConfig)
	if err != nil {
		log.Fatal(err)
	}

	// The IdP answers with a page instead of a token, which no client gets to see.
	outcome, err := policy.CheckTokenResponse(idp.Response{
		Status: http.StatusOK,
		Header: http.Header{"Content-Type": {"text/html"}},
		Body:   []byte(`<!doctype html><title>Down for maintenance</title>`),
	}, nil)
	fmt.Println(outcome == idp.Granted, idp.AsError(err).Status)
	fmt.Println(idp.AsError(err).Description)
	// Output:
	// false 502
	// the identity provider's response is not the JSON of a token (RFC 6749 section 5.1)
}
