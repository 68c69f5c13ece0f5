package clientmetadata

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// timeout bounds a fetch, from the look-up of its host to the last byte.
const timeout = 5 * time.Second

// fetcher gets documents from the public internet: over TLS, with one look-up of the host,
// whose addresses it checks and then dials itself, and without following redirects; or
// through a proxy, which looks hosts up.
type fetcher struct {
	lookUp func(ctx context.Context, host string) ([]netip.Addr, error)
	// isPublic and roots are others in tests.
	isPublic func(netip.Addr) bool
	dial     func(ctx context.Context, network, address string) (net.Conn, error)
	roots    *x509.CertPool
	proxy    *url.URL // nil without
}

func newFetcher(proxy *url.URL) *fetcher {
	return &fetcher{
		proxy: proxy,
		lookUp: func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host+".") // no search domains
		},
		isPublic: isPublic,
		dial:     new(net.Dialer).DialContext,
	}
}

// get gets a document, and how long it is good by its Cache-Control, zero if that does not
// say.
func (f *fetcher) get(u *url.URL) ([]byte, time.Duration, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	transport := &http.Transport{
		DialContext:       f.connect,
		TLSClientConfig:   &tls.Config{RootCAs: f.roots, MinVersion: tls.VersionTLS12},
		DisableKeepAlives: true, DisableCompression: true,
		MaxResponseHeaderBytes: 16 << 10,
	}
	if f.proxy != nil {
		transport.Proxy, transport.DialContext = http.ProxyURL(f.proxy), nil
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, 0, err
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "identity-gateway")
	response, err := transport.RoundTrip(request) // which follows no redirects
	if err != nil {
		return nil, 0, away(err)
	}
	defer response.Body.Close()
	if err := check(response); err != nil {
		return nil, 0, err
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, MaxDocument+1))
	if err != nil {
		return nil, 0, away(err)
	}
	return body, maxAge(response.Header), nil
}

func away(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("its host took longer than %s", timeout)
	}
	return fmt.Errorf("%w: %w", ErrUnavailable, err)
}

func check(r *http.Response) error {
	switch {
	case r.StatusCode == http.StatusTooManyRequests || r.StatusCode >= 500:
		return fmt.Errorf("%w: its host answers with status %d", ErrUnavailable, r.StatusCode)
	case r.StatusCode != http.StatusOK:
		return fmt.Errorf("%w: its host answers with status %d, not 200; redirects are not followed", errNone, r.StatusCode)
	case r.Header.Get("Content-Encoding") != "":
		return fmt.Errorf("%w: what its host answers is compressed although that was not asked for", errNone)
	}
	mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || mediaType != "application/json" && !(strings.HasPrefix(mediaType, "application/") && strings.HasSuffix(mediaType, "+json")) {
		return fmt.Errorf("%w: what its host answers is not application/json", errNone)
	}
	return nil
}

// maxAge is the lifetime that a response names (RFC 9111 section 5.2.2).
func maxAge(header http.Header) time.Duration {
	for directive := range strings.SplitSeq(strings.Join(header["Cache-Control"], ","), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(strings.ToLower(directive)), "=")
		switch name {
		case "no-store", "no-cache":
			return 0
		case "max-age":
			seconds, err := strconv.ParseInt(strings.Trim(value, `"`), 10, 32)
			if err == nil {
				return time.Duration(seconds) * time.Second
			}
		}
	}
	return 0
}

var errNotPublic = errors.New("its host is not on the public internet")

// connect looks a host up once, and connects to an address that it has checked, so that
// another answer to a second look-up changes nothing. One address that is not public is
// enough to refuse all.
func (f *fetcher) connect(ctx context.Context, network, hostPort string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(hostPort)
	if err != nil {
		return nil, err
	}
	addresses, err := f.lookUp(ctx, host)
	if err != nil {
		return nil, err
	}
	for i, address := range addresses {
		// Go has those of IPv4 in /etc/hosts as ::ffff:a.b.c.d.
		if addresses[i] = address.Unmap(); !f.isPublic(addresses[i]) {
			return nil, errNotPublic
		}
	}
	err = errors.New("no address")
	for _, address := range addresses[:min(len(addresses), 4)] {
		var conn net.Conn
		if conn, err = f.dial(ctx, network, net.JoinHostPort(address.String(), port)); err == nil {
			return conn, nil
		}
	}
	return nil, err
}

// notPublic are the address blocks of the IANA IPv4 and IPv6 special-purpose address
// registries (RFC 6890), and multicast. Of IPv6 only those of global unicast (2000::/3)
// stand here, because nothing else is public: neither the translated and mapped forms of
// IPv4 (::ffff:0:0/96, ::ffff:0:0:0/96, 64:ff9b::/96, 64:ff9b:1::/48) nor addresses of a
// site or link.
var notPublic = parsePrefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
	"192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24",
	"203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
	"2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20", // Teredo is in the first, 6to4 the third
)

var globalUnicast = netip.MustParsePrefix("2000::/3")

func parsePrefixes(texts ...string) []netip.Prefix {
	prefixes := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		prefixes[i] = netip.MustParsePrefix(text)
	}
	return prefixes
}

func isPublic(address netip.Addr) bool {
	if !address.IsValid() || address.Zone() != "" || !address.Is4() && (!globalUnicast.Contains(address) || isISATAP(address)) {
		return false
	}
	for _, prefix := range notPublic {
		if prefix.Contains(address) {
			return false
		}
	}
	return true
}

// isISATAP reports an address that a router of a site translates to one of IPv4 (RFC 5214
// section 6.1).
func isISATAP(address netip.Addr) bool {
	b := address.As16()
	return b[8]&^2 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe
}
