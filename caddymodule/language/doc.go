// Package language serves the technical-language operations over HTTP: the handlers and Caddyfile directives text_segmentation
// and personification, and the matcher message_contains.
//
// # Files
//
//	text_segmentation.go: text_segmentation: options in JSON, requests
//	personification.go: personification: options in JSON, requests, the catalogue
//	message_contains.go: message_contains: options, when it matches
//	message_body.go: how it reads a body that the next handler gets, too
//	options.go: the options that both operations have; how they wait is internal/admission
//	caddyfile.go: both directives in a Caddyfile
//	commands.go: the commands of caddy
//	metrics.go: counters
package language
