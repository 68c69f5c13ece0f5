package args

// moved says what to write for options that there were once, by block and name.
var moved = map[string]string{ //nolint:gosec // names of options, no credentials
	"identity_gateway default_audience":  "authorize_parameter audience <audience>",
	"identity_gateway logout_protocol":   "endpoint logout [<path or URL>] auth0|rp_initiated|cognito|none",
	"identity_gateway nonce":             "parameters nonce, or behind contract or oauth: parameters oauth nonce",
	"identity_gateway par":               "endpoint par [<path or URL>]; without it the identity provider's metadata says whether requests are pushed",
	"idp_client assertion_audience":      "private_key_jwt <file> [<kid>] endpoint",
	"require_token authorization_server": "resource <url> <authorization servers...>",
	"development_idp issuer":             "development_idp <issuer>",
}
