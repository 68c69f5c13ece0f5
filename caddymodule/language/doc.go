// Package language serves the technical-language operations over HTTP: the
// handlers and Caddyfile directives text_segmentation and personification, and the
// matcher message_contains.
package language
