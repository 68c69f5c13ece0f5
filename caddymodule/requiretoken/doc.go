// Package requiretoken is the directive require_token: it adapts the rules of
// package idp/accesstoken to Caddy's configuration and requests.
//
// # Files
//
//	handler.go: the directive's options in JSON; a request with a token, without, rejected
//	caddyfile.go: its options in a Caddyfile
//	provision.go: what the options are compiled into
//	issuers.go: issuers: their options, metadata, keys, introspection
//	gateway.go: tokens of the gateway's own: its keys
//	dpop.go: DPoP: the URL that a proof is for, proofs used once
//	transport.go: how keys of issuers are fetched, across reloads
//	request.go: placeholders and header fields with the user; public paths
//	scripts.go: scripts of other origins; what passes of a preflight, and who answers it
//	scopes.go: which scopes clients are told of
//	tools.go: calls of MCP tools: which scope each needs, what the log says
//	stream.go: responses that end with their token
//	metadata.go: the resource's metadata (RFC 9728)
//	metrics.go: counters
//	placement.go: what is open or does not work because of where a handler stands: the list of the rules
//	placement_asked.go: sites that forward_auth asks
//	placement_beside.go: other ways to the same server: paths, methods, ports, hosts
//	placement_errors.go: handle_errors and handle_response
//	placement_order.go: handlers before it, and nothing after
//	placement_resource.go: the resource's URL and metadata
//	placement_user.go: who uses the user, or removes the token, before it
package requiretoken
