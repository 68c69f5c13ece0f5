package redact_test

import (
	"fmt"

	"github.com/identity-gateway/caddy-identity-gateway/idp/redact"
)

func ExampleText() {
	fmt.Println(redact.Text("GET /callback?code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj&lang=de from 192.0.2.1"))
	fmt.Println(redact.Text(`{"token_type":"Bearer","access_token":"2YotnFZFEjr1zCsicMWpAA"}`))
	// Output:
	// GET /callback?code=REDACTED&state=REDACTED&lang=de from 192.0.2.1
	// {"token_type":"Bearer","access_token":"REDACTED"}
}
