package redis

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// settings are what a client depends on; stores with equal settings share one.
type settings struct {
	url      string
	password string
	timeout  time.Duration // of a whole claim
	// replicas is how many replicas have to confirm a write.
	replicas int
	// tls is what the option tls asks for, nil without it.
	tls *tls.Config
}

// client claims keys at the Redis servers of one URL.
type client struct {
	redis   goredis.UniversalClient
	cluster bool
	servers string // their addresses, for messages
	// unencrypted: without TLS to another machine.
	unencrypted bool
	timeout     time.Duration
	// replicas have to confirm each write within confirmation.
	replicas     int
	confirmation time.Duration
	now          func() time.Time

	// logger is that of the latest configuration.
	logger     atomic.Pointer[zap.Logger]
	infoDenied atomic.Bool
	timeDenied atomic.Bool
	reported   sync.Map // what was logged of which server: each finding once
}

// newClient does not connect.
func newClient(s settings) (*client, error) {
	options, err := parseURL(s.url)
	if err != nil {
		return nil, err
	}
	if s.password != "" {
		options.Password = s.password
	}
	if s.tls != nil {
		if options.TLSConfig == nil {
			return nil, errors.New("the tls options need a URL whose scheme is rediss, rediss+sentinel or rediss+cluster")
		}
		options.TLSConfig = s.tls
	}
	c := &client{cluster: options.IsClusterMode, servers: strings.Join(options.Addrs, ", "), timeout: s.timeout, replicas: s.replicas, now: time.Now}
	c.logger.Store(zap.NewNop())
	c.unencrypted = options.TLSConfig == nil && slices.ContainsFunc(options.Addrs, isRemote)

	options.OnConnect = c.inspect
	// A claim is up to three steps: connect, SET, and GET if SET was not.
	step := s.timeout / 3
	options.DialTimeout, options.ReadTimeout, options.WriteTimeout, options.PoolTimeout = step, step, step, step
	c.confirmation = step * 3 / 4 // the reply has to arrive within a step
	options.ContextTimeoutEnabled = true
	options.MaxRetries = -1
	options.DialerRetries = 1
	// Neither of these is needed, and each would be one more command that the
	// user must be allowed.
	options.DisableIdentity = true
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}

	switch {
	case options.IsClusterMode:
		o := options.Cluster()
		// The policies would ask each server for its table of commands. A claim has one
		// key, and needs no more than the table of slots.
		o.DisableRoutingPolicies = true
		c.redis = goredis.NewClusterClient(o)
	case options.MasterName != "":
		c.redis = goredis.NewFailoverClient(options.Failover())
	default:
		c.redis = goredis.NewClient(options.Simple())
	}
	return c, nil
}

// isRemote reports the address of another machine: neither a Unix socket nor loopback.
func isRemote(address string) bool {
	host, _, err := net.SplitHostPort(address)
	return err == nil && !strings.HasPrefix(address, "/") && host != "localhost" && !net.ParseIP(host).IsLoopback()
}

// warnUnencrypted says what everybody on the way to Redis can do.
func (c *client) warnUnencrypted(logger *zap.Logger) {
	if c.unencrypted {
		logger.Warn("replay redis: what goes to Redis is not encrypted: anybody on the way can read its password, and have codes redeemed twice; use rediss",
			zap.String("servers", c.servers))
	}
}

// Destruct closes the connections. It implements [caddy.Destructor].
func (c *client) Destruct() error { return c.redis.Close() }

// once is a command that go-redis never sends twice. Its cluster client repeats others after network
// errors, whatever MaxRetries says; a repeated SET NX finds the key that it set itself and rejects an
// honest login, and a repeated swap the value that the first has set.
type once struct{ goredis.Cmder }

func (once) NoRetry() bool { return true }

// claim sets key to a value that nobody else knows, unless it is set.
//
// If the reply to SET is lost, Redis may have carried it out. The value then
// tells: a key that holds it was set by this very call, so the claim holds; one
// that holds another value is somebody else's. Redis is asked until the timeout is over:
// it may be restarting. A key that is not set decides
// nothing, because the command may still be on its way. The claim then fails,
// and the key may stay until its time is over: nobody can redeem the code, and
// its user has to log in again.
func (c *client) claim(ctx context.Context, key string, ttl time.Duration) (replay.Claim, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	value := rand.Text()
	set := goredis.NewBoolCmd(ctx, "set", key, value, "nx", "px", max(ttl.Milliseconds(), 1))
	made := &claim{client: c, key: key, value: value}
	err := c.sendAndCompare(ctx, key, once{set})
	switch {
	case err == nil && set.Val():
		return made, nil
	case set.Err() == nil && !set.Val():
		return nil, replay.ErrClaimed
	case errors.Is(err, errUnconfirmed), errors.Is(err, errClock):
		_ = made.Release(ctx) // nothing was sent to the IdP; if it fails, the user has to log in again
		return nil, c.failed(err)
	}
	c.lookAgain(ctx, err)
	if !lost(err) {
		return nil, c.failed(err)
	}
	held, getErr := c.redis.Get(ctx, key).Result()
	for getErr != nil && !isReply(getErr) && pause(ctx) {
		held, getErr = c.redis.Get(ctx, key).Result()
	}
	switch {
	case getErr != nil:
		return nil, c.failed(err)
	case held != value:
		return nil, replay.ErrClaimed
	case c.replicas > 0: // WAIT knows nothing of what another connection has sent
		_ = made.Release(ctx)
		return nil, c.failed(err)
	}
	return made, nil
}

// ping sets a key, as a claim does: a server that is full, or has lost its replicas,
// can still be read.
func (c *client) ping(ctx context.Context, key string) error {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	if err := c.sendAndCompare(ctx, key, goredis.NewStatusCmd(ctx, "set", key, "", "px", 1000)); err != nil {
		c.lookAgain(ctx, err)
		return c.failed(err)
	}
	return nil
}

// errClock: a command was carried out by a server whose clock is not this one's.
var errClock = errors.New("the clocks differ")

// sendAndCompare is send, and compares the clocks.
func (c *client) sendAndCompare(ctx context.Context, key string, command goredis.Cmder) error {
	clock := goredis.NewTimeCmd(ctx, "time")
	if c.timeDenied.Load() {
		clock = nil
	}
	if err := c.send(ctx, key, command, clock); err != nil || clock == nil {
		return err
	}
	now, err := clock.Result()
	if err != nil {
		if deniesTime(err) && !c.timeDenied.Swap(true) {
			c.logger.Load().Info("cannot tell whether the clock of the Redis server is right: its user may not use TIME", zap.String("servers", c.servers))
		}
		return nil
	}
	return c.compareClocks(now)
}

// compareClocks is [errClock] if that of Redis says another time than this gateway's. A key is
// gone when the clock of Redis says so: one that jumps ahead, or that of a replica that is
// promoted, forgets claims before their time, and a code could be redeemed again; and a refresh
// token counts as replaced for longer than it is. They may differ by as much as the clocks of
// the gateways may.
func (c *client) compareClocks(now time.Time) error {
	switch ahead := now.Sub(c.now()).Round(time.Second); {
	case ahead > seal.Skew:
		return fmt.Errorf("%w: that of Redis is %s ahead of this gateway's; correct the wrong one", errClock, ahead)
	case ahead < -seal.Skew:
		return fmt.Errorf("%w: that of Redis is %s behind this gateway's; correct the wrong one", errClock, -ahead)
	}
	return nil
}

// deniesTime reports an answer to TIME that is the same next time: its user, or a proxy
// before the server, does not let it pass. A server that is loading, busy or moving
// says other things.
func deniesTime(err error) bool {
	var reply goredis.Error
	return errors.As(err, &reply) && (strings.HasPrefix(reply.Error(), "NOPERM ") || strings.HasPrefix(reply.Error(), "ERR "))
}

// errUnconfirmed: a command was carried out by the master, and too few replicas
// have said that they have it.
var errUnconfirmed = errors.New("wait_replicas")

// send sends a command that is about key, and clock, unless it is nil, to the same
// server. With wait_replicas, so many replicas have to confirm what the command has
// changed, or its error is [errUnconfirmed]. WAIT is about what its own connection has
// sent, so that all go together.
func (c *client) send(ctx context.Context, key string, command goredis.Cmder, clock *goredis.TimeCmd) error {
	cluster, ok := c.redis.(*goredis.ClusterClient)
	if c.replicas == 0 && (ok || clock == nil) {
		err := c.redis.Process(ctx, command)
		if err != nil || clock == nil {
			return err
		}
		master, err := cluster.MasterForKey(ctx, key)
		if err == nil {
			err = master.Process(ctx, clock)
		}
		clock.SetErr(err)
		return nil
	}
	err := c.sendTogether(ctx, key, command, clock)
	if ok && goredis.HasErrorPrefix(err, "MOVED") {
		cluster.ReloadState(ctx) // it was not carried out
		command.SetErr(nil)
		return c.sendTogether(ctx, key, command, clock)
	}
	return err
}

func (c *client) sendTogether(ctx context.Context, key string, command goredis.Cmder, clock *goredis.TimeCmd) error {
	master := c.redis
	if cluster, ok := master.(*goredis.ClusterClient); ok {
		var err error
		if master, err = cluster.MasterForKey(ctx, key); err != nil {
			command.SetErr(err)
			return err
		}
	}
	wait := goredis.NewIntCmd(ctx, "wait", c.replicas, c.confirmation.Milliseconds())
	pipeline := master.Pipeline()
	_ = pipeline.Process(ctx, command)
	if clock != nil {
		_ = pipeline.Process(ctx, clock)
	}
	if c.replicas > 0 {
		_ = pipeline.Process(ctx, wait)
	}
	if _, err := pipeline.Exec(ctx); err != nil && wait.Err() == nil && command.Err() == nil && (clock == nil || clock.Err() == nil) {
		command.SetErr(err) // no connection: go-redis does not tell the commands
	}
	switch {
	case command.Err() != nil:
		return command.Err()
	case c.replicas == 0:
		return nil
	case wait.Err() != nil:
		return fmt.Errorf("%w: %w", errUnconfirmed, wait.Err())
	case wait.Val() < int64(c.replicas):
		return fmt.Errorf("%w: %d of %d replicas have confirmed within %s", errUnconfirmed, wait.Val(), c.replicas, c.confirmation)
	}
	return nil
}

// lost tells whether a command that failed with err may have been carried out.
func lost(err error) bool {
	if isReply(err) {
		return false // Redis says that it was not
	}
	if network, ok := errors.AsType[*net.OpError](err); ok && network.Op == "dial" {
		return false
	}
	for _, unsent := range []error{errReplica, errCluster, goredis.ErrPoolTimeout, goredis.ErrPoolExhausted, goredis.ErrClosed} {
		if errors.Is(err, unsent) {
			return false
		}
	}
	return true
}

// isReply tells whether err is a reply of Redis.
func isReply(err error) bool {
	_, ok := errors.AsType[goredis.Error](err)
	return ok
}

// lookAgain has a cluster look its masters up after a command that got no reply: its
// slot may have another one now.
func (c *client) lookAgain(ctx context.Context, err error) {
	if cluster, ok := c.redis.(*goredis.ClusterClient); ok && !isReply(err) {
		cluster.ReloadState(ctx)
	}
}

func (c *client) failed(err error) error {
	if goredis.HasErrorPrefix(err, "OOM") {
		return fmt.Errorf("%w: redis at %s: %w", replay.ErrFull, c.servers, err)
	}
	return fmt.Errorf("redis at %s: %w", c.servers, err)
}

// encode is the name of a key, without the prefix.
func encode(key replay.Key) string { return base64.RawURLEncoding.EncodeToString(key[:]) }

// claim implements [replay.Claim].
type claim struct {
	client     *client
	key, value string
}

// release deletes a key that still holds the claim's own value.
const release = `if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("DEL", KEYS[1]) end return 0`

// pause waits before what failed is tried again, and is false if ctx is over.
func pause(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(100 * time.Millisecond):
		return true
	}
}

// Release implements [replay.Claim]. It is tried until the timeout is over: Redis may
// be restarting, and a second release finds nothing.
func (c *claim) Release(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, c.client.timeout)
	defer cancel()
	for {
		err := c.client.redis.Eval(ctx, release, []string{c.key}, c.value).Err()
		if err == nil {
			return nil
		}
		if !pause(ctx) {
			return c.client.failed(err)
		}
	}
}
