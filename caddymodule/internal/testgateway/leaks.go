package testgateway

import (
	"fmt"
	"net/http"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// leakPatience is how long what ends by itself may take on a busy machine; goleak's own
// is less than half a second.
const leakPatience = 30 * time.Second

// standing are goroutines that others leave, and why.
var standing = []goleak.Option{
	// Caddy 2.11 does not close the files of logs: Context.OnCancel, called on a copy
	// of the context, registers nothing.
	goleak.IgnoreTopFunction("github.com/DeRuina/timberjack.(*Logger).millRun"),
	// One for the whole process, which forgets the connections of dynamic upstreams.
	goleak.IgnoreAnyFunction("github.com/caddyserver/caddy/v2/modules/caddyhttp/reverseproxy.(*Upstream).fillDynamicHost.func1.1"),
}

// MainWithoutLeaks is for TestMain: it runs the tests with a data directory of their own,
// and fails if goroutines outlive them, with their stacks.
func MainWithoutLeaks(m *testing.M) {
	data, err := os.MkdirTemp("", "caddy-data")
	if err == nil {
		err = os.Setenv("XDG_DATA_HOME", data)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(data)
	if code == 0 {
		if err := findLeaks(leakPatience); err != nil {
			fmt.Fprintln(os.Stderr, "goroutines outlive the tests:", err)
			code = 1
		}
	}
	os.Exit(code)
}

// findLeaks looks for goroutines until there are none, or patience is over.
func findLeaks(patience time.Duration) error {
	deadline := time.Now().Add(patience)
	for {
		// Connections that wait for the next request belong to nobody.
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
		err := goleak.Find(standing...)
		if err == nil || time.Now().After(deadline) {
			return err
		}
	}
}
