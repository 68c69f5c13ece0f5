// Package requiretoken is the directive require_token: it adapts the rules of
// package idp/accesstoken to Caddy's configuration and requests.
//
// # Files
//
//	handler.go: the directive's options in JSON; a request with a token, without, rejected
//	caddyfile.go: its options in a Caddyfile
//	provision.go: what the options are compiled into; tokens of the gateway's own: its keys
//	issuers.go: issuers: their options, metadata, keys, also across reloads, introspection
//	dpop.go: DPoP: the URL that a proof is for, proofs used once
//	request.go: placeholders and header fields with the user; public paths
//	scripts.go: scripts of other origins; what passes of a preflight, and who answers it
//	tools.go: calls of MCP tools: which scope each needs, what the log says
//	stream.go: responses that end with their token
//	metadata.go: the resource's metadata (RFC 9728), and which scopes clients are told of
//	metrics.go: counters
//	placement.go: what is open or does not work because of where a handler stands: the list of the rules; handlers
//	before it, and nothing after; the resource's URL and metadata
//	placement_asked.go: sites that forward_auth asks
//	placement_beside.go: other ways to the same server: paths, methods, ports, hosts
//	placement_errors.go: handle_errors and handle_response
//	placement_user.go: who uses the user, or removes the token, before it
package requiretoken
