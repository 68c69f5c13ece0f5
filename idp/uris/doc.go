// Package uris holds the addresses to which browsers and codes are sent to what is safe: redirect URIs
// (RFC 6749 section 3.1.2, RFC 8252, RFC 9700 section 2.1), and URLs of the web.
//
// # Files
//
//	uris.go: what each kind of URI must be: https, loopback, private-use schemes
//	registered.go: when a redirect URI is a registered one, ports of loopback; one that nearly is
//	allowed.go: those that a client may register itself
//	published.go: those of known agents, by name
package uris
