// Package identity is the directive identity_gateway: it adapts the rules of
// package idp to Caddy's configuration, requests and reverse proxy.
//
// # Files
//
//	handler.go: the directive's options in JSON; provisioning; a request from Caddy to package idp and back
//	caddyfile.go: its options in a Caddyfile, but for those with a file of their own
//	dynamic.go: dynamic_clients: its options, documents of clients fetched
//	trust.go: trust: its options, keys of the issuers
//	users.go: users and token_claims
//	pages.go: pages
//	refresh.go: rotate_refresh
//	discover.go: discover: the IdP's metadata while the configuration runs
//	replay.go: replay: the store that this gateway has, and warnings of it
//	sealing.go: callback and sealing_key: the keys to seal and to sign with
//	client_keys.go: keys and secrets of clients: where they are fetched, files that are read
//	app.go: what the gateways of one configuration have in common, and require_token asks them
//	decision.go: log lines of a request and of incidents
//	warnings.go: what the log says of a configuration when it starts; of sites: sites/reach.go
//	metrics.go: counters and durations
//	gauges.go: what is measured when metrics are read: the age of keys, how full the store is
//	error_routes.go: handle_errors in the place of the gateway's pages
//	command.go: the commands caddy identity-gateway, and check among them
//	end.go: end: logins that an operator ends, by command and admin API
package identity
