// Package differential compares how idp reads URIs with how browsers do (the URL
// standard of the WHATWG) and with net/url. idp may be stricter, and never accepts what
// a browser would send elsewhere. It is a module of its own, so that nobody else
// downloads the browsers' parser and the test data.
package differential
