// Package clients is the registry of an identity gateway: who may use it, how each client
// authenticates, what it may ask for, and of which resources. [New] makes a [Registry] from the
// configuration. The client of a request is found as a [Party], which every later step has: by
// client_id, or where that is left out by what authenticates it.
//
// Clients are registered by the configuration ([ClientConfig]), or say themselves what they are
// ([DynamicClientsConfig]): by a metadata document, or by a registration, of which nothing is
// stored.
//
// # Files
//
//	registry.go: who may use the gateway; which clients share a registration at the IdP
//	party.go: the client of a request, and its names: at the IdP, in what is sealed, in logs
//	client.go: what a client block means: redirect URIs, audiences, scopes, parameters it may send
//	client_auth.go: how a client authenticates here: secrets, private_key_jwt
//	certificates.go: how it does by a TLS certificate
//	credentials.go: how the gateway authenticates at the IdP: secret, key, certificate, its assertion
//	dynamic.go: clients that nobody has configured: which are let in, as what
//	registration.go: what a client may register (RFC 7591), and for how long
//	resource.go: resources: their scopes, whose tokens they have, which one a request is for
//	introspection_client.go: the credentials of a resource server
//	forwarded.go: which parameters of an authorization request go on to the IdP
//	limits.go: how big, how long, how many
package clients
