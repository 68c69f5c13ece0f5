package clientmetadata

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/must"
)

// internet is a fetcher whose names lead to a server on loopback, which has a certificate
// for them. Its resolver and its rule for addresses are the real ones where a test says so.
type internet struct {
	*fetcher
	server *httptest.Server
	// dialled are the addresses that were.
	dialled []string
}

func newInternet(t *testing.T, serve http.HandlerFunc) *internet {
	i := &internet{server: httptest.NewUnstartedServer(serve)}
	i.server.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	i.server.StartTLS() // the certificate is for *.example.com
	t.Cleanup(i.server.Close)
	i.fetcher = newFetcher(nil)
	i.roots = i.server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	i.lookUp = leadingTo("93.184.216.34")
	i.dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		i.dialled = append(i.dialled, address)
		return new(net.Dialer).DialContext(ctx, network, i.server.Listener.Addr().String())
	}
	return i
}

// leadingTo is a resolver for whom each name has these addresses.
func leadingTo(addresses ...string) func(context.Context, string) ([]netip.Addr, error) {
	return func(context.Context, string) (found []netip.Addr, err error) {
		for _, address := range addresses {
			found = append(found, netip.MustParseAddr(address))
		}
		return found, nil
	}
}

const client = "https://example.com/client.json"

func (i *internet) fetch(t *testing.T, id string) ([]byte, time.Duration, error) {
	u := must.Have(url.Parse(id))(t)
	return i.get(u)
}

func respond(status int, header string, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for line := range strings.SplitSeq(header, "\n") {
			if name, value, ok := strings.Cut(line, ": "); ok {
				w.Header().Set(name, value)
			}
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

func TestAFetch(t *testing.T) {
	t.Setenv("HTTPS_PROXY", "http://127.0.0.1:1")
	i := newInternet(t, func(w http.ResponseWriter, r *http.Request) {
		require.Equal(t, "example.com", r.Host)
		require.Empty(t, r.Header["Cookie"])
		require.Empty(t, r.Header["Referer"])
		require.Equal(t, "/client.json?v=1", r.RequestURI)
		respond(200, "Cache-Control: public, max-age=3600", "{}")(w, r)
	})
	body, age, err := i.fetch(t, client+"?v=1")
	require.NoError(t, err)
	require.Equal(t, "{}", string(body))
	require.Equal(t, time.Hour, age)
	require.Equal(t, []string{"93.184.216.34:443"}, i.dialled)
	_, _, err = i.fetch(t, "https://another.test/client.json")
	require.ErrorIs(t, err, ErrUnavailable, "the certificate is for another host")
}

func TestWhatIsReadOfAResponse(t *testing.T) {
	serve := respond(200, "Content-Type: application/client-metadata+json; charset=utf-8", strings.Repeat("x", 1<<20))
	body, _, err := newInternet(t, serve).fetch(t, client)
	require.NoError(t, err)
	require.Len(t, body, MaxDocument+1, "a megabyte is not read")
	_, err = Parse(client, body)
	require.Error(t, err)
}

// The rule for addresses is what keeps a name of the attacker's from this machine: without
// it the server on loopback answers.
func TestNamesThatLeadInside(t *testing.T) {
	served := new(atomic.Int32)
	serve := func(w http.ResponseWriter, r *http.Request) { served.Add(1); respond(200, "", "{}")(w, r) }
	inside := newInternet(t, serve)
	inside.lookUp, inside.isPublic = leadingTo("127.0.0.1"), func(netip.Addr) bool { return true }
	_, _, err := inside.fetch(t, client)
	require.NoError(t, err)
	require.EqualValues(t, 1, served.Load(), "the attack works on a fetcher without the rule")

	for _, addresses := range [][]string{{"127.0.0.1"}, {"::1"}, {"::ffff:127.0.0.1"}, {"93.184.216.34", "10.0.0.1"}, {"169.254.169.254"}, {"64:ff9b::7f00:1"}} {
		guarded := newInternet(t, serve)
		guarded.lookUp = leadingTo(addresses...)
		_, _, err := guarded.fetch(t, client)
		require.ErrorIs(t, err, errNotPublic, addresses)
		require.ErrorIs(t, err, ErrUnavailable, "as for one that is not there")
		require.Empty(t, guarded.dialled, "nobody is asked")
	}
	require.EqualValues(t, 1, served.Load())
}

// Go has an IPv4 address that stands in /etc/hosts as ::ffff:a.b.c.d, and some resolvers have
// those of a name so.
func TestAPublicAddressInEtcHosts(t *testing.T) {
	i := newInternet(t, respond(200, "", "{}"))
	i.lookUp = leadingTo("::ffff:93.184.216.34")
	_, _, err := i.fetch(t, client)
	require.NoError(t, err)
	require.Equal(t, []string{"93.184.216.34:443"}, i.dialled)
}

func TestTheRealResolverDoesNotFindLocalhost(t *testing.T) {
	f := newFetcher(nil)
	_, err := f.connect(t.Context(), "tcp", "localhost:443")
	require.Error(t, err)
	_, _, err = f.get(&url.URL{Scheme: "https", Host: "nobody.invalid", Path: "/c"})
	require.ErrorIs(t, err, ErrUnavailable)
}

func TestWhichAddressesArePublic(t *testing.T) {
	for _, address := range []string{"93.184.216.34", "1.1.1.1", "8.8.8.8", "172.15.255.255", "172.32.0.0", "100.63.255.255", "100.128.0.0", "2606:2800:220:1:248:1893:25c8:1946", "2a00:1450:4001::1", "2001:4860:4860::8888", "2001:200::1"} {
		require.True(t, isPublic(netip.MustParseAddr(address)), address)
	}
	for _, address := range []string{
		// IPv4: the IANA special-purpose registry, by its first and last addresses.
		"0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1", "127.255.255.255", "169.254.169.254",
		"172.16.0.0", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.31.196.1", "192.52.193.1", "192.88.99.1", "192.168.0.1", "192.175.48.1",
		"198.18.0.0", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
		// IPv6.
		"::", "::1", "::127.0.0.1", "::ffff:10.0.0.1", "::ffff:93.184.216.34", "::ffff:0:10.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b::5db8:d822", "64:ff9b:1::1", "100::1", "100:0:0:1::1",
		"2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:1::1", "2001:2::1", "2001:3::1", "2001:4:112::1", "2001:10::1", "2001:20::1", "2001:db8::1",
		"2002:7f00:1::1", "2002:5db8:d822::1", "2620:4f:8000::1", "3fff::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1",
		"2a00:1450:4001::5efe:10.0.0.1", "2a00:1450:4001:0:200:5efe:7f00:1",
	} {
		require.False(t, isPublic(netip.MustParseAddr(address)), address)
	}
	require.False(t, isPublic(netip.Addr{}))
	require.False(t, isPublic(netip.MustParseAddr("fe80::1%eth0")))
	require.False(t, isPublic(netip.MustParseAddr("2606:2800:220:1::1%eth0")))
}

func TestHowLongAResponseSaysThatItIsGood(t *testing.T) {
	for value, want := range map[string]time.Duration{
		"": 0, "max-age=60": time.Minute, `public, Max-Age="600"`: 10 * time.Minute, "no-store, max-age=600": 0, "no-cache": 0, "max-age=x": 0, "max-age=-1": -time.Second,
		"max-age=99999999999999": 0, "s-maxage=60": 0,
	} {
		require.Equal(t, want, maxAge(http.Header{"Cache-Control": {value}}), value)
	}
}

func ExampleCheckHost() {
	fmt.Println(CheckHost("client.example.com"))
	fmt.Println(CheckHost("10.0.0.1"))
	// Output:
	// <nil>
	// metadata_documents 10.0.0.1 is not the name of a host, such as client.example.com; a port other than 443 follows a colon
}

// Somebody names a document to have its server ask others, or wait. A fetch as one writes it
// first, which even looks at the address beforehand, does so; this package's does not.
func TestWhatAStraightforwardFetchReaches(t *testing.T) {
	const inside, huge = "the metadata of the cloud", 1 << 20
	const public = "93.184.216.34"
	tooLong := func(_ []byte, took time.Duration) bool { return took > timeout+time.Second }
	for name, attack := range map[string]struct {
		id        string
		addresses []string // of one look-up after the other
		serve     http.HandlerFunc
		wants     func(body []byte, took time.Duration) bool // nil: what is inside
	}{
		"rebinding":       {client, []string{public, "169.254.169.254"}, nil, nil},
		"an IPv6 address": {client, []string{"::ffff:169.254.169.254"}, nil, nil},
		"NAT64":           {client, []string{"64:ff9b::a9fe:a9fe"}, nil, nil},
		"another port":    {"https://example.com:6379/", []string{public}, nil, nil},
		"a redirect": {client, []string{public}, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/client.json" {
				http.Redirect(w, r, "https://inside.example.com/", http.StatusFound)
				return
			}
			respond(200, "", inside)(w, r)
		}, nil},
		"a large document": {client, []string{public}, respond(200, "", strings.Repeat("x", huge)), func(body []byte, _ time.Duration) bool { return len(body) >= huge }},
		"a server that is slow to begin": {client, []string{public}, func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-time.After(timeout + time.Second):
			case <-r.Context().Done():
			}
			respond(200, "", "{}")(w, r)
		}, tooLong},
		"a server that is slow to end": {client, []string{public}, func(w http.ResponseWriter, r *http.Request) {
			respond(200, "", "{")(w, r)
			for begun := time.Now(); time.Since(begun) < timeout+time.Second && r.Context().Err() == nil; time.Sleep(100 * time.Millisecond) {
				_, _ = w.Write([]byte(" "))
				_ = http.NewResponseController(w).Flush()
			}
		}, tooLong},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if attack.serve == nil {
				attack.serve = respond(200, "", inside)
			}
			i := newInternet(t, attack.serve)
			if attack.wants == nil {
				attack.wants = func(body []byte, _ time.Duration) bool {
					return string(body) == inside && (len(attack.addresses) == 1 && attack.addresses[0] == public || !strings.HasPrefix(i.dialled[0], public))
				}
			}
			lookUps := 0
			i.lookUp = func(ctx context.Context, host string) ([]netip.Addr, error) {
				lookUps++
				return leadingTo(attack.addresses[min(lookUps, len(attack.addresses))-1])(ctx, host)
			}
			begun := time.Now()
			require.True(t, attack.wants(i.straightforward(attack.id), time.Since(begun)), "it has to work without the rules")

			lookUps, begun, i.dialled = 0, time.Now(), nil
			u := must.Have(url.Parse(attack.id))(t)
			if err := newCache().allows(u); err != nil {
				return
			}
			body, _, _ := i.get(u)
			require.False(t, attack.wants(body, time.Since(begun)))
			require.Subset(t, []string{"93.184.216.34:443"}, i.dialled)
		})
	}
}

// straightforward gets a document as one writes it first.
func (i *internet) straightforward(id string) []byte {
	found, _ := i.lookUp(context.Background(), "")
	for _, prefix := range []string{"10.", "127.", "169.254.", "192.168."} {
		if strings.HasPrefix(found[0].String(), prefix) {
			return nil
		}
	}
	transport := i.server.Client().Transport.(*http.Transport).Clone()
	transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		found, _ := i.lookUp(ctx, "")
		return i.dial(ctx, network, found[0].String())
	}
	response, err := (&http.Client{Transport: transport}).Get(id)
	if err != nil {
		return nil
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(response.Body)
	return body
}

// Behind a proxy the host is asked by its name, over TLS with its certificate, and nothing of it is
// looked up here.
func TestADocumentThroughAProxy(t *testing.T) {
	i := newInternet(t, respond(200, "", "{}"))
	var asked []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Method+" "+r.Host)
		far, err := net.Dial("tcp", i.server.Listener.Addr().String())
		if err != nil {
			return
		}
		defer far.Close()
		near, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer near.Close()
		_, _ = io.WriteString(near, "HTTP/1.1 200 OK\r\n\r\n")
		go func() { _, _ = io.Copy(far, near) }()
		_, _ = io.Copy(near, far)
	}))
	t.Cleanup(proxy.Close)
	u := must.Have(url.Parse(proxy.URL))(t)
	roots := i.roots
	i.fetcher = newFetcher(u)
	i.roots = roots
	i.lookUp = func(context.Context, string) ([]netip.Addr, error) { panic("it looks up itself") }
	body, _, err := i.fetch(t, client)
	require.NoError(t, err)
	require.Equal(t, "{}", string(body))
	require.Equal(t, []string{"CONNECT example.com:443"}, asked)
	_, _, err = i.fetch(t, "https://other.test/client.json")
	require.ErrorIs(t, err, ErrUnavailable, "the certificate is checked")
}
