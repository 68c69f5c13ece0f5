// snippet:check
//go:build ignore

// snippet:usage
package main

// snippet:end
// snippet:doc https://pkg.go.dev/net/http#Server.Shutdown http.Server.Shutdown
// snippet:needs Go 1.21
import (
	"context"
	// snippet:usage
	"fmt"
	// snippet:check
	"net"
	// snippet:end
	"net/http"
	"os/signal"
	"syscall"
	"time"
)

// Serve runs srv until SIGINT or SIGTERM comes or ctx is done, then lets
// running requests finish for at most grace before it returns.
func Serve(ctx context.Context, srv *http.Server, grace time.Duration) error {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()

	failed := make(chan error, 1)
	go func() { failed <- srv.ListenAndServe() }()

	select {
	case err := <-failed:
		return err // it could not listen, or no longer can
	case <-ctx.Done():
	}
	stop() // a second Ctrl+C ends the program at once
	deadline, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	defer srv.Close() // after the grace it cuts the connections that are left
	return srv.Shutdown(deadline)
}

// snippet:usage
// snippet:prints stopped: <nil>
func main() {
	srv := &http.Server{Addr: "127.0.0.1:0", ReadHeaderTimeout: time.Second}
	soon, stop := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer stop()
	fmt.Println("stopped:", Serve(soon, srv, 10*time.Second))
	// snippet:check
	// snippet:prints stopped: <nil>
	go func() {
		time.Sleep(50 * time.Millisecond)
		_ = syscall.Kill(syscall.Getpid(), syscall.SIGTERM)
	}()
	srv = &http.Server{Addr: "127.0.0.1:0", ReadHeaderTimeout: time.Second}
	fmt.Println("stopped:", Serve(context.Background(), srv, 10*time.Second))
	// snippet:prints stopped: context deadline exceeded
	l, _ := net.Listen("tcp", "127.0.0.1:0")
	l.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cut := make(chan bool)
	srv = &http.Server{Addr: l.Addr().String(), ReadHeaderTimeout: time.Second, Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
		close(cut)
	})}
	go func() {
		for {
			if c, err := net.Dial("tcp", srv.Addr); err == nil {
				fmt.Fprint(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	fmt.Println("stopped:", Serve(ctx, srv, 20*time.Millisecond))
	<-cut
	// snippet:usage
}
