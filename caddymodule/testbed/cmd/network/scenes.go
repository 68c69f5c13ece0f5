package main

import (
	"fmt"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/testnet"
)

// scene is a line that is not as it should be.
type scene struct {
	name       string
	begin, end func(*stage) error
	// hold is the time between them.
	hold time.Duration
	// clients: it is the clients' line, whose answers may come late or not at all.
	clients bool
	// allDone: no login may fail.
	allDone bool
}

func (s *stage) idpLine(link testnet.Link) error {
	s.network.Set(s.gateway, s.idpHosts[0], link)
	return nil
}

func (s *stage) clientLine(link testnet.Link) error {
	s.network.Set(s.clients, s.gateway, link)
	return nil
}

func heal(s *stage) error {
	s.network.Heal()
	return nil
}

// hold is how long a line is bad.
const hold = 5 * time.Second

func scenes() []scene {
	const ms = time.Millisecond
	var all []scene
	for _, line := range []struct {
		name    string
		link    testnet.Link
		allDone bool
	}{
		{"delivers everything at once", testnet.Link{}, true},
		{"loses 1 % of packets", testnet.Link{Loss: 0.01}, true},
		{"loses 5 %", testnet.Link{Loss: 0.05}, false},
		{"loses 20 %", testnet.Link{Loss: 0.2}, false},
		{"takes 50 ms each way", testnet.Link{Delay: 50 * ms}, true},
		{"takes 500 ms each way", testnet.Link{Delay: 500 * ms}, true},
		{"takes 2 s each way", testnet.Link{Delay: 2 * time.Second}, false},
		{"takes 0 to 100 ms, so that packets overtake each other", testnet.Link{Delay: 50 * ms, Jitter: 50 * ms}, true},
		{"passes 64 kbit/s", testnet.Link{Rate: 64_000}, false},
		{"swallows packets of more than 576 bytes", testnet.Link{MTU: 576}, false},
	} {
		all = append(all, scene{
			name: "gateway – IdP " + line.name, hold: hold, allDone: line.allDone,
			begin: func(s *stage) error { return s.idpLine(line.link) }, end: heal,
		}, scene{
			name: "client – gateway " + line.name, hold: hold, clients: true, allDone: line.allDone,
			begin: func(s *stage) error { return s.clientLine(line.link) }, end: heal,
		})
	}
	for _, length := range []time.Duration{time.Second, 4 * time.Second, 10 * time.Second} {
		all = append(all, scene{
			name: fmt.Sprintf("gateway – IdP is cut for %s, with exchanges under way", length), hold: length,
			begin: cutInMidExchange, end: heal,
		}, scene{
			name: fmt.Sprintf("client – gateway is cut for %s", length), hold: length, clients: true,
			begin: func(s *stage) error { return s.clientLine(testnet.Link{Down: true}) }, end: heal,
		})
	}
	return append(all, scene{
		name: "the IdP moves to another address, and the first one is silent", hold: 2 * responseTimeout,
		begin: func(s *stage) error { return s.idpLine(testnet.Link{Down: true}) },
		end: func(s *stage) error {
			s.network.Name(idpName, s.idpHosts[1])
			return nil
		},
	}, scene{
		name: "the IdP moves there and back", hold: hold,
		begin: func(s *stage) error {
			s.network.Name(idpName, s.idpHosts[1])
			return s.idpLine(testnet.Link{Down: true})
		},
		end: func(s *stage) error {
			s.network.Heal()
			s.network.Set(s.gateway, s.idpHosts[1], testnet.Link{Down: true})
			s.network.Name(idpName, s.idpHosts[0])
			return nil
		},
	})
}

// underWay is how many exchanges have reached the IdP when the line is cut.
const underWay = 5

// cutInMidExchange cuts the line to the IdP when it has token requests, before their responses.
func cutInMidExchange(s *stage) error {
	held := make(chan struct{})
	s.idp.Change(func(b *testidp.Behavior) { b.TokenOutage.Hold = held })
	defer func() {
		s.idp.Change(func(b *testidp.Behavior) { b.TokenOutage.Hold = nil })
		close(held)
	}()
	for deadline := time.Now().Add(responseTimeout / 2); s.idp.Held() < underWay; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			return fmt.Errorf("%d exchanges are under way, not %d", s.idp.Held(), underWay)
		}
	}
	return s.idpLine(testnet.Link{Down: true})
}
