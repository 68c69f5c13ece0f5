package idp

import "time"

// Bounds and times of this package. The attributes of cookies and Retry-After stand where they are
// set; the bounds of what is sealed (state among it), of the IdP's answers and of clients in the files
// limits.go of internal/login, internal/upstream and internal/clients; those of any other package, such
// as internal/params (bodies) and replay (writes), beside their rules.
const (
	// maxSessionState and maxUser bound what the callback passes on as it came, in bytes.
	maxSessionState = 256
	maxUser         = 2 << 10
	// maxClaim and maxSession bound a claim, as JSON, and the session of an ID token of the IdP's, in bytes.
	maxClaim   = 1 << 10
	maxSession = 256
	// maxGitHubPages is how many pages of a list of GitHub's are read, of a hundred entries each.
	maxGitHubPages = 10
	// maxRedirects is the number of redirects that are followed to a [loginResult].
	maxRedirects = 5
	// maxLoggedScope bounds the scope in the log, in bytes.
	maxLoggedScope = 1 << 10
	// DefaultTimeout is how long the IdP may take for a response.
	DefaultTimeout = 30 * time.Second
	// awaitMetadata is how long a request waits for the first answer of the IdP. It is
	// worth waiting for after a start; while the IdP is down, nobody waits.
	awaitMetadata = 3 * time.Second
	// revokeTimeout bounds what a refusal waits for the IdP.
	revokeTimeout = 2 * time.Second
	// proofsOfAGrant is how many proofs are used with one code or refresh token, while they are
	// remembered: more than tabs that refresh together, and try again, could need.
	proofsOfAGrant = 256
	// logoutsOfAUser is how many logout tokens of one user are used in four minutes: each session of
	// his has its own. Who logs in and out all the time does not fill the store.
	logoutsOfAUser = 1 << 10
	// DefaultLoginTimeout is how long a user may take at the IdP, and before that on the page
	// that asks for consent: users read mail and look for their phones while they log in.
	// maxLoginTimeout is the most that can be configured.
	DefaultLoginTimeout = time.Hour
	maxLoginTimeout     = 24 * time.Hour
)
