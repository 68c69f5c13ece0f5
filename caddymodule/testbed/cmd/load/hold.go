package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

// holders is how many connections each kind has, and holdTime how long it lasts.
const (
	holders  = 200
	holdTime = 10 * time.Second
)

// holder is a kind of client that wants what honest ones need: the memory for messages, by
// announcing more than it sends. These are the kinds that cost a gateway more than Caddy alone.
// All of them ask one server again and again.
type holder struct {
	// name completes the sentence "Clients that ...".
	name string
	// use does to one connection what this kind does, until the server closes it or
	// the client has had enough; nil for nobody.
	use func(net.Conn, string)
}

func kinds() []holder {
	announce := func(length int, sent string, then func(net.Conn)) func(net.Conn, string) {
		return func(c net.Conn, address string) {
			send(c, message(address, length, sent))
			then(c)
		}
	}
	unlimited := func(media string) func(net.Conn, string) {
		return func(c net.Conn, address string) {
			const sent = `{"value":"`
			send(c, fmt.Sprintf("POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: %s\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n", segmentation, address, media, len(sent), sent))
			wait(c)
		}
	}
	const short, long, begun = 64 << 10, 1_000_000, len(`{"value":"`)
	almost := func(length int) string { return strings.Repeat("a", length-begun-1) }
	return []holder{
		{"announce 64 KB and send 10 bytes", announce(short, "", wait)},
		{"announce 1 MB and send 10 bytes", announce(long, "", wait)},
		{"announce 1 MB and send 2 KB", announce(long, strings.Repeat("a", 2<<10), wait)},
		{"send 64 KB, 200 bytes a second", announce(short, "", drip)},
		{"send 64 KB without the last byte", announce(short, almost(short), wait)},
		{"send 1 MB without the last byte", announce(long, almost(long), wait)},
		{"send chunks, and no end", unlimited("application/json")},
		{"send lines of a batch without an end", unlimited("application/x-ndjson")},
		{"send 1 MB and read the answer, and wait as Retry-After says", func(c net.Conn, address string) {
			send(c, message(address, 0, strings.Repeat("Please look at main.go:\\n\\nfunc main() {}\\n\\n", 20_000)))
			answer, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil {
				return
			}
			_, _ = io.Copy(io.Discard, answer.Body)
			seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After"))
			time.Sleep(time.Duration(seconds) * time.Second)
		}},
		{"read nothing of the answer to 64 KB", func(c net.Conn, address string) {
			_ = c.(sender).SetReadBuffer(1)
			send(c, message(address, 0, strings.Repeat("Please look at main.go:\\n\\nfunc main() {}\\n\\n", 1400)))
			time.Sleep(time.Minute)
		}},
	}
}

// holdSite needs no client registrations.
const holdSite = "identity_gateway https://idp.example {\n\tparameters oauth\n}\ntext_segmentation"

// held is the server that they come to, with the timeouts of Caddyfile.example.
const held = `protocols h1
max_header_size 64KiB
timeouts {
	read_header 10s
	read_body 30s
	idle 2m
}`

// honest clients are few enough that they hardly wait for each other.
var honest = []errand{
	authorize(100 * time.Millisecond),
	segmented("0.8 KB", 100*time.Millisecond, 800, "application/json"),
	segmented("32 KB", 500*time.Millisecond, 32<<10, "application/json"),
	segmented("200 KB", 2*time.Second, 200<<10, "application/json"),
	segmented("batches", 500*time.Millisecond, 800, "application/x-ndjson"),
}

// hold has each kind come, and nobody, and prints how many of the honest clients' requests
// were served meanwhile, and how long those took.
func hold() error {
	if err := os.Setenv("GOMEMLIMIT", "400MiB"); err != nil { // the server's; this process has read its own
		return err
	}
	fmt.Printf("| %d clients that ... | tried | they sent |", holders)
	for _, e := range honest {
		fmt.Printf(" %s: served | median, slowest |", e.name)
	}
	fmt.Printf(" memory, peak |\n|---|---:|---:|%s---:|\n", strings.Repeat("---:|---:|", len(honest)))
	for _, kind := range append([]holder{{name: "*are not there*"}}, kinds()...) {
		if err := kind.row(); err != nil {
			return fmt.Errorf("%s: %w", kind.name, err)
		}
	}
	return nil
}

func (k *holder) row() (err error) {
	defer fail.Catch(&err)
	server, addresses := startServer(held, holdSite)
	defer server.Close()
	address := addresses[0]
	start(honest, address, time.Now().Add(time.Second))() // the first of each kind
	connections, bytes := k.come(address)
	for k.use != nil && connections.Load() < holders {
		time.Sleep(10 * time.Millisecond)
	}
	until := time.Now().Add(holdTime)
	served := start(honest, address, until)
	peak := fail.Must(server.HighestMemory(until))
	fmt.Printf("| %s | %d | %.1f MB |", k.name, connections.Load(), float64(bytes.Load())/1e6)
	for _, a := range served() {
		if len(a.served) == 0 {
			fmt.Printf(" 0 of %d | – |", a.asked)
			continue
		}
		fmt.Printf(" %d of %d | %v, %v |", len(a.served), a.asked, a.served.median().Round(time.Millisecond), a.served[len(a.served)-1].Round(time.Millisecond))
	}
	fmt.Printf(" %d MB |\n", peak>>20)
	return nil
}

// come keeps the connections open, each opened again when it has been closed, until
// nobody listens any more, and counts them, and the bytes that they send.
func (k *holder) come(address string) (connections, bytes *atomic.Int64) {
	connections, bytes = new(atomic.Int64), new(atomic.Int64)
	if k.use == nil {
		return connections, bytes
	}
	for range holders {
		go func() {
			for {
				c, err := net.DialTimeout("tcp", address, time.Minute)
				if err != nil {
					return
				}
				connections.Add(1)
				k.use(sender{c.(*net.TCPConn), bytes}, address)
				_ = c.Close()
			}
		}()
	}
	return connections, bytes
}

// sender is a connection that counts the bytes that are sent.
type sender struct {
	*net.TCPConn
	bytes *atomic.Int64
}

func (s sender) Write(p []byte) (int, error) {
	n, err := s.TCPConn.Write(p)
	s.bytes.Add(int64(n))
	return n, err
}

func send(c net.Conn, text string) { _, _ = io.WriteString(c, text) }

// message is the beginning of a request with a message, whose body may be announced
// longer than it is.
func message(address string, length int, text string) string {
	body := `{"value":"` + text
	if length == 0 {
		body += `"}`
		length = len(body)
	}
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", segmentation, address, length, body)
}

// wait waits until the server closes.
func wait(c net.Conn) { _, _ = io.Copy(io.Discard, c) }

// drip sends 40 bytes at a time until the server closes.
func drip(c net.Conn) {
	closed := make(chan struct{})
	go func() {
		wait(c)
		close(closed)
	}()
	for {
		select {
		case <-closed:
			return
		case <-time.After(200 * time.Millisecond):
			send(c, strings.Repeat("a", 40))
		}
	}
}
