package idp_test

import (
	"crypto/rand"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// The whole gateway, served by net/http.
func ExampleGateway_Handler() {
	policy, err := idp.NewPolicy(idp.Config{
		AuthURL:    "https://your-tenant.eu.auth0.com",
		Parameters: idp.OAuthParameters,
		PublicURL:  "https://login.example.com",
		Callback:   new(idp.CallbackConfig),
		Clients: []idp.ClientConfig{{
			ID:           "5f9YqR7o3sKq2Wb1",
			RedirectURIs: []string{"https://app.example.com/callback"},
		}},
	})
	if err != nil {
		log.Fatal(err)
	}
	master := make([]byte, seal.MinMaster)
	_, _ = rand.Read(master) // never fails
	keys, err := seal.NewKeys([][]byte{master}, time.Now)
	if err != nil {
		log.Fatal(err)
	}
	gateway, err := idp.NewGateway(policy, idp.Parts{
		Transport: http.DefaultTransport,
		Keys:      seal.Static(keys),
		Replay:    replay.NewMemory(100_000, time.Now),
	})
	if err != nil {
		log.Fatal(err)
	}
	handler := gateway.Handler(http.NotFoundHandler()) // http.ListenAndServe(":8080", handler)

	// A login without PKCE does not reach the IdP.
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest("GET", "/authorize?response_type=code&client_id=5f9YqR7o3sKq2Wb1", nil))
	fmt.Println(w.Code, w.Header().Get("Location"))
	// Output:
	// 302 https://app.example.com/callback?error=invalid_request&error_description=PKCE%20is%20required%3A%20send%20code_challenge%2C%20the%20base64url%20SHA-256%20of%20a%20code_verifier%2C%20and%20code_challenge_method%20S256&iss=https%3A%2F%2Flogin.example.com
}
