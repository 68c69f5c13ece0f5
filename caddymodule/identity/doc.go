// Package identity is the directive identity_gateway: it adapts the rules of
// package idp to Caddy's configuration, requests and reverse proxy.
package identity
