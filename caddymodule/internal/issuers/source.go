package issuers

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
)

// source is the metadata of one issuer, as whoever trusts the same gets it.
type source struct {
	issuer   string
	timing   timing
	current  atomic.Pointer[discovery.Metadata]
	fetched  atomic.Int64  // when current was, in nanoseconds of Unix time
	failures atomic.Uint64 // fetches that failed

	started sync.Once
	ctx     context.Context
	cancel  context.CancelFunc
	done    chan struct{} // closed when nothing runs any more

	users Newest[Handle]

	mu      sync.Mutex
	attempt *attempt
}

// Newest has a value of each configuration that is in use, of which that of the newest one counts. The zero
// value has none. It is safe for concurrent use.
type Newest[T any] struct {
	mu  sync.Mutex
	all []*T
}

// Add adds a value, until remove is called.
func (n *Newest[T]) Add(value *T) (remove func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.all = append(n.all, value)
	return func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.all = slices.DeleteFunc(n.all, func(other *T) bool { return other == value })
	}
}

// Get is the newest value, nil if there is none.
func (n *Newest[T]) Get() *T {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.all) == 0 {
		return nil
	}
	return n.all[len(n.all)-1]
}

// attempt is one try to get the metadata.
type attempt struct {
	done chan struct{}
	err  error // valid when done is closed
}

func newSource(issuer string, timing timing) *source {
	ctx, cancel := context.WithCancel(context.Background())
	return &source{
		issuer: issuer, timing: timing, ctx: ctx, cancel: cancel,
		done: make(chan struct{}), attempt: &attempt{done: make(chan struct{})},
	}
}

// Destruct implements [caddy.Destructor]. A reload and the end of the process wait
// for it, and not for long: a storage need not heed a context, and one on a network
// may hang.
func (s *source) Destruct() error {
	s.cancel()
	s.started.Do(func() { close(s.done) })
	select {
	case <-s.done:
	case <-time.After(s.timing.end):
	}
	return nil
}

// access is how the present users fetch and keep. The newest one's transport, storage
// and logger are those of the configuration in force. It reports false if there are
// no users any more.
func (s *source) access() (Access, bool) {
	newest := s.users.Get()
	if newest == nil {
		return Access{}, false
	}
	access := newest.access
	if access.Transport == nil {
		access.Transport = defaultTransport()
	}
	return access, true
}

func (s *source) start() {
	s.started.Do(func() { go s.run() })
}

// await waits for the attempt that is under way. After one that failed, its error
// is the answer until the next one begins.
func (s *source) await(ctx context.Context) (*discovery.Metadata, error) {
	s.mu.Lock()
	attempt := s.attempt
	s.mu.Unlock()
	select {
	case <-attempt.done:
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: %w", ErrUnknown, ctx.Err())
	}
	if m := s.current.Load(); m != nil {
		return m, nil
	}
	return nil, fmt.Errorf("%w: %w", ErrUnknown, attempt.err)
}

// run takes what is in the storage and then fetches, until the last user is gone.
func (s *source) run() {
	defer close(s.done)
	if access, ok := s.access(); ok {
		if m, age := load(s.ctx, access, s.issuer); m != nil {
			s.fetched.Store(time.Now().Add(-age).UnixNano())
			s.current.Store(m)
			access.Logger.Info("using the identity provider's metadata from Caddy's storage until it is fetched",
				zap.String("issuer", s.issuer), zap.Duration("age", age))
		}
	}
	failures := 0
	for {
		access, ok := s.access()
		if !ok {
			return
		}
		err := s.refresh(access)
		if s.ctx.Err() != nil {
			return
		}
		wait := s.timing.refresh
		if err != nil {
			wait = min(s.timing.retryMax, s.timing.retryMin<<min(failures, 30))
			if s.current.Load() != nil {
				// What is known is good; nobody waits.
				wait = max(wait, min(s.timing.refresh, s.timing.retryMax)/10)
			}
			failures++
		} else {
			failures = 0
		}
		s.finish(err)
		select {
		case <-s.ctx.Done():
			return
		case <-time.After(wait*3/4 + rand.N(wait/2+1)): //nolint:gosec // no secret: a quarter less or more
			s.begin()
		}
	}
}

// begin is a new attempt. What waits for the one before has its answer.
func (s *source) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current.Load() == nil {
		s.attempt = &attempt{done: make(chan struct{})}
	}
}

func (s *source) finish(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.attempt.done:
	default:
		s.attempt.err = err
		close(s.attempt.done)
	}
}

// refresh fetches the metadata once.
func (s *source) refresh(access Access) error {
	raw, m, err := Fetch(s.ctx, access.Transport, s.issuer, access.At, s.timing.request)
	if err != nil {
		if s.ctx.Err() != nil {
			return err
		}
		s.failures.Add(1)
		level, consequence := zap.ErrorLevel, "nothing is known of it yet, and what needs it waits"
		if s.current.Load() != nil {
			level, consequence = zap.WarnLevel, "the metadata from before stays in use"
		}
		access.Logger.Log(level, "the identity provider's metadata can't be fetched: "+consequence,
			zap.String("issuer", s.issuer), zap.Error(err))
		return err
	}
	s.fetched.Store(time.Now().UnixNano())
	old := s.current.Load()
	if old == nil || !reflect.DeepEqual(old, m) {
		s.current.Store(m)
		access.Logger.Info("the identity provider's metadata", zap.String("issuer", m.Issuer), zap.Strings("changed", changes(old, m)))
	}
	// Who ends now finds it at the next start.
	if err := store(context.WithoutCancel(s.ctx), access, s.issuer, raw); err != nil {
		access.Logger.Warn("the identity provider's metadata can't be kept in Caddy's storage; "+
			"should the identity provider be down at the next start, logins wait for it", zap.Error(err))
	}
	return nil
}

// changes are the names of the endpoints that are new or have moved.
func changes(old, m *discovery.Metadata) []string {
	if old == nil {
		return []string{"all"}
	}
	before, names := old.Endpoints(), []string{}
	for name, u := range m.Endpoints() {
		if before[name] == nil || *before[name] != *u {
			names = append(names, name)
		}
		delete(before, name)
	}
	for name := range before {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// defaultTransport reaches those whose users have no transport.
var defaultTransport = sync.OnceValue(func() http.RoundTripper { return NewTransport(1) })

// NewTransport makes a transport for an IdP's documents, with the system's
// certificate authorities. It keeps that many idle connections to each host.
func NewTransport(idle int) http.RoundTripper {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxResponseHeaderBytes = 64 << 10
	transport.MaxIdleConnsPerHost = idle
	// Over HTTP/2, net/http answers each GOAWAY with the next connection, without a pause.
	transport.ForceAttemptHTTP2 = false
	transport.Protocols = new(http.Protocols)
	transport.Protocols.SetHTTP1(true)
	return transport
}
