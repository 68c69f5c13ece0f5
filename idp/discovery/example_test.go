package discovery_test

import (
	"fmt"
	"log"

	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
)

func ExampleParse() {
	addresses, err := discovery.Addresses("https://idp.example/tenant")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(addresses[0])

	// What was found there is another issuer's.
	_, err = discovery.Parse("https://idp.example/tenant", []byte(`{"issuer":"https://idp.example/other"}`))
	fmt.Println(err)
	// Output:
	// https://idp.example/tenant/.well-known/openid-configuration
	// the metadata is of another issuer: it names https://idp.example/other, and https://idp.example/tenant was asked for; write the issuer exactly as the identity provider does
}
