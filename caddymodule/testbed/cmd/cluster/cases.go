//go:build unix

package main

import (
	"errors"
	"os"
	"syscall"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/testclock"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/testnet"
)

// promise is what is said of a second token for a code.
type promise int

const (
	never   promise = iota // none is issued
	always                 // some are: without them the case would show nothing
	unclear                // it depends on what happens first
)

// scene is a fault.
type scene struct {
	name  string
	store store
	// begin lets the fault begin, and end ends it, where it does not end by itself.
	begin, end func(*stage) error
	// hold is the time between them.
	hold    time.Duration
	promise promise
	// mayLose says why logins may be lost; "" if none may be.
	mayLose string
	// within is the time after the end of the fault, or after its beginning if it has
	// none, in which the last refusal may come.
	within time.Duration
}

const (
	// a second attempt after a fault may wait for one more response.
	promptly = 5 * time.Second
	// Sentinels need a second to miss a master, and some to agree on another one.
	afterFailover = 25 * time.Second
)

func nothing(*stage) error { return nil }

// all are hosts.
func (s *stage) allNodes() []*testnet.Host {
	return []*testnet.Host{s.nodes[0].Host, s.nodes[1].Host, s.nodes[2].Host}
}

func (s *stage) allRedis() []*testnet.Host {
	return []*testnet.Host{s.redis[0].Host, s.redis[1].Host, s.redis[2].Host}
}

// partition cuts the first master, its Sentinel and the first node off from the
// others. Clients and the IdP reach all.
func partition(s *stage) error {
	s.cut([]*testnet.Host{s.redis[0].Host, s.nodes[0].Host}, append(s.allRedis()[1:], s.allNodes()[1:]...), testnet.Link{Down: true})
	return nil
}

func heal(s *stage) error {
	s.network.Heal()
	return nil
}

// slow delays what nodes say to Redis and its Sentinels, and the replies, each by half of a time.
func slow(roundTrip time.Duration) func(*stage) error {
	return func(s *stage) error {
		s.cut(s.allNodes(), s.allRedis(), testnet.Link{Delay: roundTrip / 2})
		return nil
	}
}

// restart kills all Redis servers and starts them again, with or without their data.
func restart(empty bool) func(*stage) error {
	return func(s *stage) error {
		for _, r := range s.redis {
			if err := r.kill(); err != nil {
				return err
			}
		}
		var master *redisHost
		for _, r := range s.redis {
			if empty {
				if err := os.RemoveAll(r.folder + "/appendonlydir"); err != nil {
					return err
				}
			}
			if err := r.start(master); err != nil {
				return err
			}
			if master == nil {
				master = r
			}
		}
		return nil
	}
}

// onMaster does something to the host of the master.
func onMaster(f func(*redisHost) error) func(*stage) error {
	return func(s *stage) error {
		master, err := s.master()
		if err != nil {
			return err
		}
		return f(master)
	}
}

func signal(signal syscall.Signal) func(*redisHost) error {
	return func(r *redisHost) error { return r.signal(signal) }
}

const newPassword = "another one"

// rotatePassword changes the password of all Redis servers, and closes their
// connections. The nodes have the old one.
func rotatePassword(s *stage) error {
	for _, r := range s.redis {
		for _, command := range [][]string{
			{"config", "set", "masterauth", newPassword},
			{"config", "set", "requirepass", newPassword},
		} {
			if _, err := r.do(command...); err != nil {
				return err
			}
		}
		if _, err := r.ask("sentinel", "set", masterName, "auth-pass", newPassword); err != nil {
			return err
		}
		if _, err := r.cli(redisPort, "--pass", newPassword, "--no-auth-warning", "client", "kill", "type", "normal"); err != nil {
			return err
		}
	}
	return nil
}

// tellPassword gives it to the nodes.
func tellPassword(s *stage) error {
	if err := os.WriteFile(s.passwordFile(), []byte(newPassword), 0o600); err != nil {
		return err
	}
	for i, n := range s.nodes {
		if err := n.process.Reload(s.caddyfile(i, waitReplicas), true); err != nil {
			return err
		}
	}
	return nil
}

// setClocks sets the clocks of the nodes.
func setClocks(offsets ...time.Duration) func(*stage) error {
	return func(s *stage) error {
		for i, offset := range offsets {
			if err := testclock.Set(s.nodes[i].process.PID(), offset); err != nil {
				return err
			}
		}
		return nil
	}
}

// setRedisClock sets the clock of the master, or of both replicas.
func setRedisClock(offset time.Duration, replicas bool) func(*stage) error {
	return func(s *stage) error {
		master, err := s.master()
		if err != nil {
			return err
		}
		for _, r := range s.redis {
			if (r == master) == replicas {
				continue
			}
			if err := testclock.Set(r.server.Process.Pid, offset); err != nil {
				return err
			}
		}
		return nil
	}
}

// killNode kills the first node.
func killNode(s *stage) error {
	s.nodes[0].process.Kill()
	return nil
}

func scenes() []scene {
	const undecided = "a claim that nobody can confirm is not given out again"
	return []scene{
		{name: "none; each node remembers for itself (`replay memory`)", store: memory, begin: nothing, promise: always},
		{name: "none", store: waitReplicas, begin: nothing},
		{name: "none, without `wait_replicas`", store: unconfirmed, begin: nothing},
		{
			name: "master killed", store: waitReplicas, begin: onMaster((*redisHost).kill),
			hold: 10 * time.Second, mayLose: undecided, within: afterFailover,
		},
		{
			name: "master killed, without `wait_replicas`", store: unconfirmed, begin: onMaster((*redisHost).kill),
			hold: 10 * time.Second, promise: unclear, mayLose: undecided, within: afterFailover,
		},
		{
			name: "master frozen for 10 s, and back", store: waitReplicas, begin: onMaster(signal(syscall.SIGSTOP)),
			end:  func(s *stage) error { return s.redis[0].signal(syscall.SIGCONT) },
			hold: 10 * time.Second, mayLose: undecided, within: afterFailover,
		},
		{
			name: "one node cut off from Redis for 8 s", store: waitReplicas, hold: 8 * time.Second,
			begin: func(s *stage) error {
				s.cut(s.allNodes()[:1], s.allRedis(), testnet.Link{Down: true})
				return nil
			}, end: heal, mayLose: undecided, within: promptly,
		},
		{
			name: "master cut off from everybody for 10 s", store: waitReplicas, hold: 10 * time.Second,
			begin: func(s *stage) error {
				s.cut(s.allRedis()[:1], append(s.allRedis()[1:], s.allNodes()...), testnet.Link{Down: true})
				return nil
			}, end: heal, mayLose: undecided, within: afterFailover,
		},
		{
			name: "split brain for 15 s: master and one node cut off from the others", store: waitReplicas, hold: 15 * time.Second,
			begin: partition, end: heal, mayLose: undecided, within: afterFailover,
		},
		{
			name: "the same with `min-replicas-to-write 1` only", store: minReplicas, hold: 15 * time.Second,
			begin: partition, end: heal, promise: always, mayLose: undecided, within: afterFailover,
		},
		{
			name: "the same with neither", store: unconfirmed, hold: 15 * time.Second,
			begin: partition, end: heal, promise: always, mayLose: undecided, within: afterFailover,
		},
		{
			name: "both replicas frozen for 8 s", store: waitReplicas, hold: 8 * time.Second,
			begin: func(s *stage) error {
				return errors.Join(s.redis[1].signal(syscall.SIGSTOP), s.redis[2].signal(syscall.SIGSTOP))
			},
			end: func(s *stage) error {
				return errors.Join(s.redis[1].signal(syscall.SIGCONT), s.redis[2].signal(syscall.SIGCONT))
			}, mayLose: undecided, within: promptly,
		},
		{name: "all Redis servers killed, and started again with their data", store: waitReplicas, begin: restart(false), hold: 8 * time.Second, mayLose: undecided, within: afterFailover},
		{name: "the same, started again empty", store: waitReplicas, begin: restart(true), hold: 8 * time.Second, promise: always, mayLose: undecided, within: afterFailover},
		{name: "Redis takes 100 ms", store: waitReplicas, begin: slow(100 * time.Millisecond), end: heal, hold: 8 * time.Second, within: promptly},
		{name: "Redis takes 1 s", store: waitReplicas, begin: slow(time.Second), end: heal, hold: 8 * time.Second, mayLose: undecided, within: promptly},
		{name: "Redis takes 10 s", store: waitReplicas, begin: slow(10 * time.Second), end: heal, hold: 12 * time.Second, mayLose: undecided, within: 15 * time.Second},
		{
			name: "Redis full", store: waitReplicas, hold: 5 * time.Second,
			begin: onMaster(func(r *redisHost) error { return second(r.do("config", "set", "maxmemory", "1")) }),
			end:   onMaster(func(r *redisHost) error { return second(r.do("config", "set", "maxmemory", "0")) }), within: promptly,
		},
		{name: "Redis has another password, the nodes hear of it 5 s later", store: waitReplicas, begin: rotatePassword, end: tellPassword, hold: 5 * time.Second, mayLose: undecided, within: promptly},
		{
			name: "one node killed, and started again after 5 s", store: waitReplicas, hold: 5 * time.Second, begin: killNode,
			end: func(s *stage) error { return s.startNode(0, waitReplicas) }, mayLose: "an exchange that was under way is not repeated", within: promptly,
		},
		{
			name: "the clock of the master jumps 2 hours ahead, and stays", store: waitReplicas, hold: 5 * time.Second,
			begin: setRedisClock(2*time.Hour, false), mayLose: "its clock is not the nodes'",
		},
		{
			name: "the same, and back 5 s later", store: waitReplicas, hold: 5 * time.Second, promise: unclear,
			begin: setRedisClock(2*time.Hour, false), end: setRedisClock(0, false), mayLose: "its clock is not the nodes'", within: promptly,
		},
		{
			name: "the clock of the master jumps 2 hours back, and stays", store: waitReplicas, hold: 5 * time.Second,
			begin: setRedisClock(-2*time.Hour, false), mayLose: "its clock is not the nodes'",
		},
		{
			name: "master killed, and the clocks of both replicas are 2 hours ahead", store: waitReplicas, hold: 10 * time.Second,
			begin: func(s *stage) error {
				return errors.Join(setRedisClock(2*time.Hour, true)(s), onMaster((*redisHost).kill)(s))
			}, mayLose: "its clock is not the nodes'",
		},
		{name: "clocks of the nodes: 60 s fast, right, 50 s slow", store: waitReplicas, begin: setClocks(time.Minute, 0, -50*time.Second), hold: 5 * time.Second},
		{name: "clocks of the nodes: an hour fast, right, 30 minutes slow", store: waitReplicas, begin: setClocks(time.Hour, 0, -30*time.Minute), hold: 5 * time.Second, mayLose: "clocks must agree to two minutes"},
	}
}
