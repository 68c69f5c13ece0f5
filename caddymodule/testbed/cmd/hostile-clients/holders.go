package main

import (
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/loadtest"
)

// holders are the kinds of client that want the memory for messages: they announce
// more than they send, or never send the end.
func holders(n int) []kind {
	announce := func(length int, sent string, then func(net.Conn)) func(net.Conn, string) {
		return func(c net.Conn, address string) {
			send(c, message(address, length, sent))
			then(c)
		}
	}
	unlimited := func(header, sent string) func(net.Conn, string) {
		return func(c net.Conn, address string) {
			send(c, fmt.Sprintf("POST %s HTTP/1.1\r\nHost: %s\r\n%s\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n", segmentation, address, header, len(sent), sent))
			wait(c)
		}
	}
	const short, long = 64 << 10, 1_000_000
	const begun = len(`{"value":"`)
	almost := func(length int) string { return strings.Repeat("a", length-begun-1) }
	return []kind{
		{"announce 64 KB and send 10 bytes", n, announce(short, "", wait)},
		{"announce 64 KB and send 2 KB", n, announce(short, strings.Repeat("a", 2<<10), wait)},
		{"announce 1 MB and send 10 bytes", n, announce(long, "", wait)},
		{"announce 1 MB and send 2 KB", n, announce(long, strings.Repeat("a", 2<<10), wait)},
		{"send 64 KB, 200 bytes a second", n, announce(short, "", func(c net.Conn) { dripEach(c, 200*time.Millisecond, strings.Repeat("a", 40)) })},
		{"send 64 KB without the last byte", n, announce(short, almost(short), wait)},
		{"send 1 MB without the last byte", n, announce(long, almost(long), wait)},
		{"send chunks, and no end", n, unlimited("Content-Type: application/json", `{"value":"`)},
		{"send lines of a batch without an end", n, unlimited("Content-Type: application/x-ndjson", `{"value":"`)},
		{"open 250 HTTP/2 streams with 10 bytes each", max(n/25, 1), http2Attack(func(s *session, id uint32) error {
			if id > 2*250 {
				time.Sleep(time.Hour)
			}
			if err := s.open(id, false); err != nil {
				return err
			}
			return s.WriteData(id, false, []byte(`{"value":"`))
		})},
		{"read nothing of the answer to 64 KB", n, func(c net.Conn, address string) {
			if t, ok := c.(interface{ SetReadBuffer(int) error }); ok {
				_ = t.SetReadBuffer(1)
			}
			send(c, message(address, 0, strings.Repeat("Please look at main.go:\\n\\nfunc main() {}\\n\\n", 1400)))
			time.Sleep(time.Minute)
		}},
	}
}

// messages measures what is left for honest clients that have messages.
func (h *hostility) messages() error {
	kinds := h.matching(holders(h.holders))
	if len(kinds) == 0 || h.holders == 0 {
		return nil
	}
	fmt.Printf("| Clients that ... | at a time | tried | they sent |")
	for _, e := range errands {
		fmt.Printf(" %s: served | median, slowest |", e.name)
	}
	fmt.Printf(" memory, peak |\n|---|---:|---:|---:|%s---:|\n", strings.Repeat("---:|---:|", len(errands)))
	for _, k := range append([]kind{{name: "*nobody*"}}, kinds...) {
		if err := h.message(k); err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
	}
	fmt.Println()
	return nil
}

// message prints a row.
func (h *hostility) message(k kind) error {
	server, address, err := loadtest.StartServer(fmt.Sprintf(servers, h.protocols), gateway)
	if err != nil {
		return err
	}
	defer server.Close()
	startErrands(address, time.Now().Add(time.Second))() // the first of each kind
	var came attempts
	end := func() (attempts, error) { return came, nil }
	if k.connections > 0 {
		attackers, err := startAttackers(h.holders, k, address, h.duration)
		if err != nil {
			return err
		}
		if _, err := gather(server, attackers); err != nil {
			return err
		}
		end = attackers.end
	}
	until := time.Now().Add(h.duration)
	served := startErrands(address, until)
	peak, err := server.HighestMemory(until)
	if err != nil {
		return err
	}
	if came, err = end(); err != nil {
		return err
	}
	fmt.Printf("| %s | %d | %d | %.1f MB |", k.name, k.connections, came.connections, float64(came.bytes)/1e6)
	result := served()
	for i := range result {
		fmt.Printf(" %v |", &result[i])
	}
	fmt.Printf(" %d MB |\n", peak>>20)
	return nil
}
