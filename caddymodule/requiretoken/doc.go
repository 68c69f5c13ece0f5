// Package requiretoken is the directive require_token: it adapts the rules of
// package idp/accesstoken to Caddy's configuration and requests.
package requiretoken
