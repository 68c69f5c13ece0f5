package clientcert_test

import (
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/hex"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert"
	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert/clientcerttest"
)

var subject = pkix.Name{Country: []string{"DE"}, Organization: []string{"Example, Inc."}, CommonName: "app"}

func connect(t testing.TB, mode tls.ClientAuthType, trusted *x509.CertPool, shown ...tls.Certificate) *clientcert.Certificate {
	t.Helper()
	state, err := clientcerttest.Connect(mode, trusted, shown...)
	require.NoError(t, err)
	return clientcert.Of(state)
}

// RFC 8705 section 2.1: whose a certificate is, an authority says, and nobody else.
func TestWhoIsBelieved(t *testing.T) {
	trusted, other := clientcerttest.NewAuthority("trusted"), clientcerttest.NewAuthority("trusted") // of the same name
	name, err := clientcert.ParseName(clientcert.SubjectDN, `CN=app,O=Example\, Inc.,C=DE`)
	require.NoError(t, err)
	issued := trusted.Issue(x509.Certificate{Subject: subject})

	c := connect(t, tls.VerifyClientCertIfGiven, trusted.Pool(), issued)
	require.True(t, c.IsVerified())
	require.True(t, c.Has(name))
	require.False(t, c.Has(clientcert.Name{}), "no name is nobody's")

	for how, mode := range map[string]tls.ClientAuthType{"asked for": tls.RequestClientCert, "required": tls.RequireAnyClientCert} {
		for whose, shown := range map[string]tls.Certificate{
			"a trusted authority's": issued, "another authority's": other.Issue(x509.Certificate{Subject: subject}),
			"self-signed": clientcerttest.SelfSigned(x509.Certificate{Subject: subject}),
		} {
			c := connect(t, mode, trusted.Pool(), shown)
			require.False(t, c.IsVerified(), "%s, %s", how, whose)
			require.False(t, c.Has(name), "%s, %s", how, whose)
		}
	}
	for whose, shown := range map[string]tls.Certificate{
		"another authority's": other.Issue(x509.Certificate{Subject: subject}), "self-signed": clientcerttest.SelfSigned(x509.Certificate{Subject: subject}),
		"a server's":                 trusted.Issue(x509.Certificate{Subject: subject, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}),
		"expired":                    trusted.Issue(x509.Certificate{Subject: subject, NotBefore: time.Now().Add(-2 * time.Hour), NotAfter: time.Now().Add(-time.Hour)}),
		"one whose key is another's": {Certificate: issued.Certificate, PrivateKey: other.Issue(x509.Certificate{}).PrivateKey},
	} {
		_, err := clientcerttest.Connect(tls.VerifyClientCertIfGiven, trusted.Pool(), shown)
		require.Error(t, err, whose)
	}
	require.Nil(t, connect(t, tls.VerifyClientCertIfGiven, trusted.Pool()), "none")
	require.Nil(t, connect(t, tls.NoClientCert, nil, issued), "not asked for")
	require.Nil(t, clientcert.Of(nil), "no TLS")
}

func TestNames(t *testing.T) {
	trusted := clientcerttest.NewAuthority("trusted")
	uri := func(s string) *url.URL {
		u, err := url.Parse(s)
		require.NoError(t, err)
		return u
	}
	c := connect(t, tls.RequireAndVerifyClientCert, trusted.Pool(), trusted.Issue(x509.Certificate{
		Subject: subject, DNSNames: []string{"app.example", "*.wild.example"}, URIs: []*url.URL{uri("spiffe://example.org/app")},
		IPAddresses: []net.IP{net.ParseIP("192.0.2.1"), net.ParseIP("2001:db8::1")}, EmailAddresses: []string{"app@example.org"},
	}))
	for _, tt := range []struct {
		kind, value string
		want        bool
	}{
		{clientcert.SubjectDN, `CN=app,O=Example\, Inc.,C=DE`, true},
		{clientcert.SubjectDN, `CN=app, O=Example\2C Inc., C=DE`, true},
		{clientcert.SubjectDN, `C=DE,O=Example\, Inc.,CN=app`, false},
		{clientcert.SubjectDN, "CN=app", false},
		{clientcert.SANDNS, "app.example", true},
		{clientcert.SANDNS, "App.Example", true},
		{clientcert.SANDNS, "any.wild.example", false},
		{clientcert.SANDNS, "sub.app.example", false},
		{clientcert.SANDNS, "app", false}, // of the subject alone
		{clientcert.SANURI, "spiffe://example.org/app", true},
		{clientcert.SANURI, "spiffe://example.org/App", false},
		{clientcert.SANURI, "spiffe://example.org/app/", false},
		{clientcert.SANIP, "192.0.2.1", true},
		{clientcert.SANIP, "::ffff:192.0.2.1", true},
		{clientcert.SANIP, "2001:db8:0::1", true},
		{clientcert.SANIP, "192.0.2.2", false},
		{clientcert.SANEmail, "app@example.org", true},
		{clientcert.SANEmail, "App@example.org", false},
	} {
		name, err := clientcert.ParseName(tt.kind, tt.value)
		require.NoError(t, err, tt.value)
		require.Equal(t, tt.want, c.Has(name), "%s %s", tt.kind, tt.value)
	}
	for kind, values := range map[string][]string{
		clientcert.SubjectDN: {"", "app", "CN", "CN=", "=app", "CN=app,", ",CN=app", "CN=app,,C=DE", "XX=app", "2.5.4.=app", "2=app", "CN=#0c03617070", `CN=app\`, `CN=a\zz`, `CN="app"`, "CN=a;C=DE", "CN=\\ff"},
		clientcert.SANDNS:    {"", "*.example", "https://app.example", "app.example:443", "a b", "\u212aapp.example"},
		clientcert.SANURI:    {"", "/app", "app.example", "%", "https://id.example/a b", "https://id.example/ä"},
		clientcert.SANIP:     {"", "app.example", "192.0.2.0/24", "fe80::1%eth0", "192.0.2.1:443"},
		clientcert.SANEmail:  {"", "example.org", "a@b@c"},
		"cn":                 {"app"}, "": {"app"},
	} {
		for _, value := range values {
			name, err := clientcert.ParseName(kind, value)
			require.Error(t, err, "%s %s", kind, value)
			require.False(t, c.Has(name), "%s %s", kind, value)
		}
	}
}

// Certificates of others that their authority has issued, whose names are written like the client's
// (RFC 3986 section 6.2.1; RFC 8705 section 2.1.2: addresses by their octets).
func TestNamesThatAreWrittenLikeOne(t *testing.T) {
	const uriTag, ipTag = 6, 7
	trusted := clientcerttest.NewAuthority("trusted")
	has := func(kind, value string, tag int, inCertificate string) bool {
		names, err := asn1.Marshal([]asn1.RawValue{{Class: asn1.ClassContextSpecific, Tag: tag, Bytes: []byte(inCertificate)}})
		require.NoError(t, err)
		name, err := clientcert.ParseName(kind, value)
		require.NoError(t, err, value)
		return connect(t, tls.RequireAndVerifyClientCert, trusted.Pool(), trusted.Issue(x509.Certificate{
			Subject: subject, ExtraExtensions: []pkix.Extension{{Id: asn1.ObjectIdentifier{2, 5, 29, 17}, Value: names}},
		})).Has(name)
	}
	for _, uri := range []string{"https://id.example/app", "HTTPS://Id.Example/app", "https://id.example/app#", "https://id.example/a%70p", "urn:example:app"} {
		require.True(t, has(clientcert.SANURI, uri, uriTag, uri), uri)
	}
	for _, like := range []string{
		"HTTPS://id.example/app", "https://ID.example/app", "https://id.example/app#", "https://id.example/app?", "https://id.example/app?#", "https://id.example/%61pp",
		"https://id.example:443/app", "https://id.example:/app", "https://@id.example/app", "https://id.example/./app", "https://id.example/app/", "https://id.example//app",
	} {
		require.False(t, has(clientcert.SANURI, "https://id.example/app", uriTag, like), like)
	}
	for _, value := range []string{"192.0.2.1", "::ffff:192.0.2.1"} {
		require.True(t, has(clientcert.SANIP, value, ipTag, "\xc0\x00\x02\x01"), value)
		require.False(t, has(clientcert.SANIP, value, ipTag, strings.Repeat("\x00", 10)+"\xff\xff\xc0\x00\x02\x01"), value)
	}
}

// Each text of RFC 4514 section 4, and some that tools print, against the subject that it is of.
func TestDistinguishedNames(t *testing.T) {
	value := func(kind asn1.ObjectIdentifier, text string) pkix.AttributeTypeAndValue {
		return pkix.AttributeTypeAndValue{Type: kind, Value: text}
	}
	oid := func(arcs ...int) asn1.ObjectIdentifier { return arcs }
	cn, ou, dc, email := oid(2, 5, 4, 3), oid(2, 5, 4, 11), oid(0, 9, 2342, 19200300, 100, 1, 25), oid(1, 2, 840, 113549, 1, 9, 1)
	trusted := clientcerttest.NewAuthority("trusted")
	for text, tt := range map[string]struct {
		subject pkix.RDNSequence
		is      bool
	}{
		"UID=jsmith,DC=example,DC=net":         {pkix.RDNSequence{{value(dc, "net")}, {value(dc, "example")}, {value(oid(0, 9, 2342, 19200300, 100, 1, 1), "jsmith")}}, true},
		"UID=jsmith,DC=net,DC=example":         {pkix.RDNSequence{{value(dc, "net")}, {value(dc, "example")}, {value(oid(0, 9, 2342, 19200300, 100, 1, 1), "jsmith")}}, false},
		"OU=Sales+CN=J.  Smith,DC=net":         {pkix.RDNSequence{{value(dc, "net")}, {value(cn, "J.  Smith"), value(ou, "Sales")}}, true},
		"OU=Sales,CN=J.  Smith,DC=net":         {pkix.RDNSequence{{value(dc, "net")}, {value(cn, "J.  Smith"), value(ou, "Sales")}}, false},
		`CN=James \"Jim\" Smith\, III,DC=net`:  {pkix.RDNSequence{{value(dc, "net")}, {value(cn, `James "Jim" Smith, III`)}}, true},
		`CN=Before\0dAfter,DC=net`:             {pkix.RDNSequence{{value(dc, "net")}, {value(cn, "Before\rAfter")}}, true},
		`CN=Lu\C4\8Di\C4\87`:                   {pkix.RDNSequence{{value(cn, "Lučić")}}, true},
		"CN=Lučić":                             {pkix.RDNSequence{{value(cn, "Lučić")}}, true},
		"cn=app, emailAddress=app@example.org": {pkix.RDNSequence{{value(email, "app@example.org")}, {value(cn, "app")}}, true},
		"2.5.4.3=app":                          {pkix.RDNSequence{{value(cn, "app")}}, true},
		"OID.2.5.4.3=app":                      {pkix.RDNSequence{{value(cn, "app")}}, true},
		`CN=\ app\ `:                           {pkix.RDNSequence{{value(cn, " app ")}}, true},
		"CN= app ":                             {pkix.RDNSequence{{value(cn, " app ")}}, false},
		"CN = app , OU = x":                    {pkix.RDNSequence{{value(ou, "x")}, {value(cn, "app")}}, true},
		"CN=app,O=x":                           {pkix.RDNSequence{{value(cn, "app,O=x")}}, false}, // written into one value
		`CN=app\,O=x`:                          {pkix.RDNSequence{{value(cn, "app,O=x")}}, true},
		"CN=app":                               {pkix.RDNSequence{{value(cn, "app\x00.evil.example")}}, false},
		"CN=APP":                               {pkix.RDNSequence{{value(cn, "app")}}, false},
		"CN=app,CN=app":                        {pkix.RDNSequence{{value(cn, "app")}}, false},
		"CN=a=b":                               {pkix.RDNSequence{{value(cn, "a=b")}}, true},
	} {
		der, err := asn1.Marshal(tt.subject)
		require.NoError(t, err)
		name, err := clientcert.ParseName(clientcert.SubjectDN, text)
		require.NoError(t, err, text)
		c := connect(t, tls.RequireAndVerifyClientCert, trusted.Pool(), trusted.Issue(x509.Certificate{RawSubject: der}))
		require.Equal(t, tt.is, c.Has(name), text)
	}
}

func TestThumbprints(t *testing.T) {
	shown := clientcerttest.SelfSigned(x509.Certificate{})
	c := connect(t, tls.RequestClientCert, nil, shown)
	thumbprint := c.Thumbprint()
	parsed, ok := clientcert.ParseThumbprint(thumbprint.String())
	require.True(t, ok)
	require.Equal(t, thumbprint, parsed)
	digits := hex.EncodeToString(thumbprint[:])
	var pairs []string
	for i := 0; i < len(digits); i += 2 {
		pairs = append(pairs, strings.ToUpper(digits[i:i+2]))
	}
	for _, good := range []string{digits, strings.ToUpper(digits), strings.Join(pairs, ":")} {
		parsed, err := clientcert.ParseFingerprint(good)
		require.NoError(t, err)
		require.Equal(t, thumbprint, parsed)
	}
	for _, bad := range []string{"", digits[2:], digits + "00", ":" + digits, thumbprint.String(), strings.Join(pairs[1:], ":")} {
		_, err := clientcert.ParseFingerprint(bad)
		require.ErrorContains(t, err, "64 hexadecimal digits", bad)
	}
}
