// Package clients is the registry of an identity gateway: who may use it, how each client
// authenticates, what it may ask for, and of which resources. [New] makes a [Registry] from the
// configuration. The client of a request is found once, as a [Party], which every later step has.
//
// Clients are registered by the configuration ([ClientConfig]), or say themselves what they are
// ([DynamicClientsConfig]): by a metadata document, or by a registration, of which nothing is
// stored.
package clients
