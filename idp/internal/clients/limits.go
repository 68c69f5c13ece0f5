package clients

import (
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// The bounds of an assertion by which a client authenticates.
const (
	// MaxAssertion is how long one may be good for; AssertionMemory is how long it is
	// remembered that it was used.
	MaxAssertion    = 5 * time.Minute
	AssertionMemory = MaxAssertion + 2*seal.Skew
	// maxAhead is how far ahead a client's clock may be (FAPI 2.0 Security Profile section 5.3.2.1).
	maxAhead = time.Minute
	// maxAssertionID is the longest jti, in bytes.
	maxAssertionID = 256
	// AssertionsOfAClient is how many of one client are used within four minutes: 270 a second
	// all the time. One client can't fill the store, in which everybody's codes are.
	AssertionsOfAClient = 1 << 16
)

// ownAssertionLifetime is how long the gateway's assertions are valid at the IdP; each is made
// for one request.
const ownAssertionLifetime = time.Minute

// The bounds of a registration. Nothing of it is kept here: what it says is in the id
// that the client gets.
const (
	MaxRegistration = 16 << 10 // bytes of the request
	// maxRedirectURIs is how many redirect URIs are read of one.
	maxRedirectURIs = 32
	// maxRegistered is how many bytes of redirect URIs go into an id, which has to fit into
	// URLs.
	maxRegistered = 1 << 10
	// MaxClientName is the length of a name in characters. A longer one is cut.
	MaxClientName = 64

	// DefaultRegistrationLifetime is how long a registration is good.
	DefaultRegistrationLifetime = 90 * 24 * time.Hour
	minRegistrationLifetime     = time.Hour
	maxRegistrationLifetime     = 10 * 365 * 24 * time.Hour
)
