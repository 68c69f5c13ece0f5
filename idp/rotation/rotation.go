// Package rotation has each refresh of a login replace its refresh token (RFC 9700 section
// 4.14.2). What the identity provider (IdP) gives stays here, in a replay store; clients get
// tokens that name a [Place]: their login and a generation. The refresh tokens of one login are
// a family: when one is used again after its time, somebody has a copy, and the whole family
// ends.
//
// [Families.Begin] begins a family at a login. A refresh takes its [Lease], is sent to the IdP
// with [Lease.Token], and calls [Lease.Finish] with what the IdP gives, or [Lease.Release] if
// that is nothing. [Families.EndSessions] ends the families of logins that the IdP has ended.
//
// # Files
//
//	rotation.go: options and their bounds; errors
//	state.go: what the store has of a family; a family begins, is found, ends
//	lease.go: one refresh at a time; when a token that was used again ends its login
//	session.go: logouts at the IdP, and which logins they end
//	end.go: logins, users and agents ended here
//	store.go: a store that fails is tried again
package rotation

import (
	"cmp"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// Config is how long refresh tokens are good for.
type Config struct {
	// Grace is how long the token before the current one is good, too: for processes that
	// share it, and for retries after a lost response. It ends early when the current one is
	// used. Zero: [DefaultGrace].
	Grace time.Duration
	// Idle is how long a family lives without being used. Zero: [DefaultIdle].
	Idle time.Duration
	// Lease is how long the IdP may take to respond, and the store to record it. Refreshes of
	// a family go to the IdP one after the other, because it may rotate its own token, too.
	// Zero: 35 s.
	Lease time.Duration
}

// The defaults and bounds of a [Config].
const (
	DefaultGrace = 30 * time.Second
	DefaultIdle  = 30 * 24 * time.Hour
	defaultLease = 35 * time.Second
	maxGrace     = 10 * time.Minute
	maxIdle      = 400 * 24 * time.Hour
)

// Complete is the configuration with its defaults. Errors name the option.
func (c Config) Complete() (Config, error) {
	c = Config{cmp.Or(c.Grace, DefaultGrace), cmp.Or(c.Idle, DefaultIdle), cmp.Or(c.Lease, defaultLease)}
	switch {
	case c.Grace < time.Second || c.Grace > maxGrace:
		return c, fmt.Errorf("rotate_refresh: grace must be between 1s and %s", maxGrace)
	case c.Idle < time.Hour || c.Idle > maxIdle:
		return c, errors.New("rotate_refresh: idle must be between 1h and 400d")
	}
	return c, nil
}

// ttl is how long the store keeps a family.
func (c Config) ttl() time.Duration { return c.Idle + c.Grace }

// Site is whose families they are.
type Site struct {
	// IdP is the address of the IdP. All sites in front of one IdP that share a store have the
	// same keys in it.
	IdP string
	// Context binds what is sealed into the store to this site.
	Context string
	// Logouts: what [Families.EndSessions] has recorded is looked at.
	Logouts bool
}

// Families are the refresh tokens of all logins of a site, by their families. They are safe for
// concurrent use.
type Families struct {
	config Config
	site   Site
	store  replay.StateStore
	// Endings are what [Families.End] has ended of access tokens.
	Endings *Endings

	mu sync.Mutex
	// waiting counts who waits for the lease of a family.
	waiting map[Family]int
}

// New makes families of a configuration that is [Config.Complete].
func New(config Config, site Site, store replay.StateStore) *Families {
	f := &Families{config: config, site: site, store: store, waiting: make(map[Family]int)}
	f.Endings = &Endings{families: f}
	return f
}

// Family identifies the refresh tokens of one login.
type Family [16]byte

// Place is where a refresh token stands among those of its login.
type Place struct {
	Family     Family
	Generation uint32
}

// What is in the chain of errors.
var (
	// ErrOver: the family has ended, or is not known.
	ErrOver = errors.New("the refresh token was replaced, revoked or not used for too long")
	// ErrReused, in [Ended]: the token was replaced before.
	ErrReused = errors.New("a refresh token was used again after it was replaced")
	// ErrRolledBack, in [Ended]: the token is newer than what the store has of its family.
	ErrRolledBack = errors.New("the replay store has an older state of a login than its refresh token: it was restored from a copy, has lost what it was given last, or somebody has put an old value back")
	// ErrLoggedOut: the IdP has ended the login, or whoever runs the gateway has.
	ErrLoggedOut = errors.New("the identity provider, or the operator of the gateway, has ended the login")
	// ErrForeign: the family has a state in the store that was not sealed for it.
	// [seal.ErrUnknownKey] is in the chain, too, if newer keys may open it.
	ErrForeign = errors.New("the replay store has a value for a login that no configured key has sealed for it: the key was removed, or somebody else writes to the store")
	// ErrBusy: another refresh of the family was at the IdP for too long, or faster.
	ErrBusy = errors.New("another refresh of this login is under way")
	// ErrCrowded: too many requests wait for the lease of the family.
	ErrCrowded = errors.New("too many refreshes of this login wait for each other")
	// ErrStore: the store could not decide. [replay.ErrFull] may be in the chain, too.
	ErrStore = errors.New("the replay store failed")
)

// Ended is the error of a request that has ended its family.
type Ended struct {
	// Why is [ErrReused], [ErrRolledBack] or [ErrLoggedOut].
	Why error
	// Token is the IdP's refresh token, which it should revoke.
	Token string
}

// Error implements the error interface.
func (e *Ended) Error() string { return e.Why.Error() }

// Unwrap is why the family has ended.
func (e *Ended) Unwrap() error { return e.Why }

func storeFailed(err error) error { return fmt.Errorf("%w: %w", ErrStore, err) }
