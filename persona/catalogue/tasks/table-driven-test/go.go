// snippet:check
//go:build ignore

package main

// snippet:end

// snippet:doc https://go.dev/wiki/TableDrivenTests Table-driven tests
// snippet:prints PASS

import (
	"net/url"
	"testing"
)

func TestHost(t *testing.T) {
	tests := map[string]struct {
		in, want string
		wantErr  bool
	}{
		"plain":         {in: "https://example.com/a", want: "example.com"},
		"with a port":   {in: "https://example.com:8443", want: "example.com"},
		"IPv6":          {in: "http://[::1]:80/", want: "::1"},
		"broken escape": {in: "https://%zz", wantErr: true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			u, err := url.Parse(tt.in)
			if (err != nil) != tt.wantErr {
				t.Fatalf("Parse(%q): error %v, want error: %v", tt.in, err, tt.wantErr)
			}
			if err == nil && u.Hostname() != tt.want {
				t.Errorf("host of %q = %q, want %q", tt.in, u.Hostname(), tt.want)
			}
		})
	}
}

// snippet:check
func main() {
	testing.Main(func(_, _ string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: "TestHost", F: TestHost}}, nil, nil)
}
