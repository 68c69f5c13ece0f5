// Package docs has the addresses of pages of the documentation, for errors and help.
package docs

// Site is where the documentation is published: .github/workflows/site.yml.
const Site = "https://identity-gateway.github.io/caddy-identity-gateway/"

// Where to read on.
const (
	Agents          = Site + "caddymodule/protectmcp/"
	Commands        = Site + "caddymodule/#commands"
	Logs            = Site + "caddymodule/#logs"
	Troubleshooting = Site + "caddymodule/PRODUCTION#troubleshooting"
	BehindProxy     = Site + "caddymodule/PRODUCTION#behind-another-proxy"
	Users           = Site + "caddymodule/identity/#who-may-come-in"
	SealedCodes     = Site + "caddymodule/identity/#sealed-codes"
	ReplayStore     = Site + "caddymodule/identity/#the-replay-store"
)
