package redis

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// load returns a value and the time: the clock that all gateways share.
const load = `local now = redis.call("TIME")
return {redis.call("GET", KEYS[1]), now[1], now[2]}`

// compareAndSwap replaces a value that is still the one expected. Without a second
// flag there is to be none, before or after. Where there is none and is to be none, there is a
// change all the same, which replicas can confirm: a master that was replaced, and has not
// heard of it, has no new values.
const compareAndSwap = `local value = redis.call("GET", KEYS[1])
if ARGV[1] == "0" then
	if value then return 0 end
elseif value ~= ARGV[2] then return 0 end
if ARGV[3] == "0" then
	if not value then redis.call("SET", KEYS[1], "", "PX", 1) end
	redis.call("DEL", KEYS[1])
else redis.call("SET", KEYS[1], ARGV[4], "PX", ARGV[5]) end
return 1`

// Load implements [replay.StateStore].
func (s *Store) Load(ctx context.Context, key replay.Key) ([]byte, time.Time, error) {
	return s.client.load(ctx, s.keyPrefix+encode(key))
}

// CompareAndSwap implements [replay.StateStore].
func (s *Store) CompareAndSwap(ctx context.Context, key replay.Key, old, replacement []byte, ttl time.Duration) (bool, error) {
	return s.client.compareAndSwap(ctx, s.keyPrefix+encode(key), old, replacement, ttl)
}

func (c *client) load(ctx context.Context, key string) ([]byte, time.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	reply, err := c.redis.Eval(ctx, load, []string{key}).Slice()
	if err != nil {
		c.lookAgain(ctx, err)
		return nil, time.Time{}, c.failed(err)
	}
	if len(reply) != 3 {
		return nil, time.Time{}, c.failed(errors.New("an unexpected reply"))
	}
	seconds, secondsErr := strconv.ParseInt(fmt.Sprint(reply[1]), 10, 64)
	micros, microsErr := strconv.ParseInt(fmt.Sprint(reply[2]), 10, 64)
	if err := errors.Join(secondsErr, microsErr); err != nil {
		return nil, time.Time{}, c.failed(errors.New("the time is not a number"))
	}
	now := time.UnixMicro(seconds*1e6 + micros)
	if err := c.compareClocks(now); err != nil {
		return nil, time.Time{}, c.failed(err)
	}
	if value, ok := reply[0].(string); ok {
		return []byte(value), now, nil
	}
	return nil, now, nil
}

func (c *client) compareAndSwap(ctx context.Context, key string, old, replacement []byte, ttl time.Duration) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	flag := func(value []byte) string {
		if value == nil {
			return "0"
		}
		return "1"
	}
	command := goredis.NewCmd(ctx, "eval", compareAndSwap, 1, key, flag(old), old, flag(replacement), replacement, max(ttl.Milliseconds(), 1))
	command.SetFirstKeyPos(3)
	err := c.send(ctx, key, once{command}, nil)
	switch {
	case err == nil:
		swapped, err := command.Int()
		return swapped == 1, err
	case errors.Is(err, errUnconfirmed):
		return false, c.failed(err)
	}
	c.lookAgain(ctx, err)
	if !lost(err) {
		return false, c.failed(err)
	}
	// The reply is lost: what is there now tells whether the command was carried out.
	// One that is still on its way finds another value then, or does what was asked.
	value, _, loadErr := c.load(ctx, key)
	if loadErr != nil || !same(value, replacement) || c.replicas > 0 {
		return false, c.failed(err)
	}
	return true, nil
}

func same(a, b []byte) bool { return (a == nil) == (b == nil) && string(a) == string(b) }
