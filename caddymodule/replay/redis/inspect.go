package redis

import (
	"context"
	"errors"

	goredis "github.com/redis/go-redis/v9"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

var (
	errReplica = errors.New("the server is a replica, where a claim would not be single use; connect to the master, or by redis+sentinel://")
	errCluster = errors.New("the server belongs to a cluster; write redis+cluster:// or rediss+cluster://")
)

// inspect looks at the server of a new connection. It rejects a replica, where
// one that takes writes would let every node claim for itself, and logs what
// makes a server forget claims.
func (c *client) inspect(ctx context.Context, conn *goredis.Conn) error {
	// HELLO names the role and, unlike ROLE and INFO, is not dangerous in the
	// eyes of Redis's ACL.
	hello := goredis.NewMapStringInterfaceCmd(ctx, "hello")
	if err := conn.Process(ctx, hello); err != nil && (!isReply(err) || goredis.HasErrorPrefix(err, "NOAUTH")) {
		return err
	}
	mode, _ := hello.Val()["mode"].(string)
	role, _ := hello.Val()["role"].(string)
	switch {
	case mode == "sentinel":
		return nil
	case mode == "cluster" && !c.cluster:
		return errCluster
	case c.cluster:
		// Any node may tell the layout of the cluster, and a replica redirects
		// commands to its master.
	case role == "replica" || role == "slave":
		return errReplica
	case role == "":
		c.report(zap.WarnLevel, conn, "cannot tell whether the Redis server is a master: it does not reply to HELLO as Redis 6 and later do")
	}
	return c.inspectMemory(ctx, conn)
}

func (c *client) inspectMemory(ctx context.Context, conn *goredis.Conn) error {
	if c.infoDenied.Load() {
		return nil
	}
	info := conn.InfoMap(ctx)
	if err := info.Err(); err != nil {
		if !isReply(err) {
			return err
		}
		c.infoDenied.Store(true)
		c.report(zap.InfoLevel, conn, "cannot tell whether the Redis server may evict claims: its user may not use INFO; see to it that maxmemory-policy is noeviction")
		return nil
	}
	if policy := info.Item("Memory", "maxmemory_policy"); policy != "" && policy != "noeviction" {
		c.report(zap.WarnLevel, conn, "the Redis server may evict claims, after which a code can be redeemed again; set maxmemory-policy noeviction", zap.String("maxmemory_policy", policy))
	}
	if info.Item("Persistence", "aof_enabled") == "0" {
		c.report(zap.InfoLevel, conn, "the Redis server has no append-only file: a restart forgets claims, after which a code can be redeemed again; set appendonly yes")
	}
	return nil
}

// report logs a finding about the server of conn once.
func (c *client) report(level zapcore.Level, conn *goredis.Conn, finding string, fields ...zap.Field) {
	server := conn.String()
	if _, reported := c.reported.LoadOrStore(server+finding, true); !reported {
		c.logger.Load().Log(level, finding, append(fields, zap.String("server", server))...)
	}
}
