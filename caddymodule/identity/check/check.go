// Package check tries an identity provider (IdP) from this machine, and says what
// it found and how the gateway is set up for it.
package check

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/issuers"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/terminal"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/readiness"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// patience bounds each step.
const patience = 10 * time.Second

// The clock: signed tokens and client assertions are good for minutes.
const (
	clockNote = 30 * time.Second
	clockFail = 2 * time.Minute
)

// maxDocument bounds what is read of a response, in bytes.
const maxDocument = 1 << 20

// certificateNote is how long before its end a certificate is worth a word.
const certificateNote = 14 * 24 * time.Hour

// Checker tries IdPs. The zero value uses this machine's resolver, certificate
// authorities and proxy settings.
type Checker struct {
	// Transport fetches metadata and keys; nil is Go's default.
	Transport http.RoundTripper
	// TLS is for the connections that are only tried; nil is Go's default.
	TLS *tls.Config
	// configured: Transport alone knows how connections are made.
	configured bool
}

// report prints one line for each step.
type report struct {
	out io.Writer
	err error // the first failure
}

// line prints one. Much of detail is what the IdP says.
func (r *report) line(verdict, step, detail string) {
	detail = terminal.Visible(detail)
	fmt.Fprintf(r.out, "  %-5s %-15s %s\n", verdict, step, strings.ReplaceAll(detail, "\n", "\n                        "))
}

func (r *report) ok(step, detail string, arguments ...any) {
	r.line("ok", step, fmt.Sprintf(detail, arguments...))
}

func (r *report) note(step, detail string, arguments ...any) {
	r.line("note", step, fmt.Sprintf(detail, arguments...))
}

func (r *report) fail(step string, err error) {
	r.line("FAIL", step, err.Error())
	if r.err == nil {
		r.err = fmt.Errorf("%s: %w", step, err)
	}
}

// Target is an IdP as it is configured.
type Target struct {
	// URL is the issuer, the address of its metadata, or the address below which
	// the endpoints are.
	URL string
	// DiscoverAt is where its metadata is, "" for the well-known addresses.
	DiscoverAt string
	// NeedsMetadata: without metadata the gateway would not work.
	NeedsMetadata bool
	// Transport is the one that is configured for it, nil for none.
	Transport http.RoundTripper
	// Gateways are those of a configuration in front of it: what they will use is tried.
	Gateways []*idp.Gateway
}

// Check tries an IdP and prints what it finds. The error is the first thing that
// keeps the gateway from working with it.
func (c *Checker) Check(ctx context.Context, out io.Writer, target Target) error {
	address := target.URL
	if !strings.Contains(address, "://") {
		address = "https://" + address
	}
	issuer, isMetadata := discovery.IssuerOf(address)
	if !isMetadata {
		issuer = address
	}
	u, err := idp.ParseAuthURL(issuer)
	if err != nil {
		return err
	}
	issuer = u.String()
	fmt.Fprintf(out, "%s\n\n", issuer)
	r := &report{out: out}
	if target.Transport != nil {
		c = &Checker{Transport: target.Transport, configured: true}
	}
	if !c.connect(ctx, r, u) {
		return r.err
	}
	clock := &clock{RoundTripper: c.transport()}
	_, m, err := issuers.Fetch(ctx, clock, issuer, target.DiscoverAt, patience)
	clock.judge(r)
	switch {
	case err == nil:
	case target.NeedsMetadata || isMetadata:
		r.fail("metadata", fmt.Errorf("%w\nif it publishes none, write its endpoints: endpoint authorize|token|userinfo|logout <path or URL>", err))
		return r.err
	default:
		r.note("metadata", "none, so that discover can't be used: %s", err)
		try(ctx, r, target.Gateways, nil)
		return r.err
	}
	c.describe(ctx, r, u, m, len(target.Gateways) == 0 || target.NeedsMetadata)
	try(ctx, r, target.Gateways, m)
	if r.err == nil && len(target.Gateways) == 0 {
		fmt.Fprintf(out, "\nA Caddyfile for it, which takes the client's id and secret from the environment:\n\n%s", Block(issuer, m))
	}
	return r.err
}

// Issuers prints whether the issuers of require_token have what it needs of them.
func Issuers(out io.Writer, results []readiness.Result) error {
	var failures []error
	for _, result := range results {
		fmt.Fprintf(out, "\n%s, for require_token\n\n", terminal.Visible(result.Of))
		r := &report{out: out}
		if result.Ready {
			r.ok(result.Check, "there")
			continue
		}
		r.fail(result.Check, errors.New(result.Reason))
		failures = append(failures, errors.New(terminal.Visible(fmt.Sprintf("%s: %v", result.Of, r.err))))
	}
	return errors.Join(failures...)
}

// try prints what comes of what gateways will use, each finding once.
func try(ctx context.Context, r *report, gateways []*idp.Gateway, m *discovery.Metadata) {
	ctx, cancel := context.WithTimeout(ctx, 3*patience)
	defer cancel()
	said := make(map[string]bool)
	for _, g := range gateways {
		for _, trial := range g.Try(ctx, m) {
			key := fmt.Sprint(trial)
			switch {
			case said[key]:
			case trial.Err != nil:
				r.fail(trial.Step, trial.Err)
			case trial.Unsure:
				r.note(trial.Step, "%s", trial.Detail)
			default:
				r.ok(trial.Step, "%s", trial.Detail)
			}
			said[key] = true
		}
	}
}

func (c *Checker) transport() http.RoundTripper {
	if c.Transport != nil {
		return c.Transport
	}
	return http.DefaultTransport
}

// connect looks a host up and connects to it.
func (c *Checker) connect(ctx context.Context, r *report, u *url.URL) bool {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	host := u.Hostname()
	if c.configured {
		r.note("connection", "%s is reached as the option transport says", host)
		return true
	}
	if proxy, err := http.ProxyFromEnvironment(&http.Request{URL: u}); err == nil && proxy != nil {
		r.note("connection", "%s is reached through the proxy %s", host, proxy.Redacted())
		return true
	}
	if net.ParseIP(host) == nil {
		addresses, err := net.DefaultResolver.LookupHost(ctx, host)
		if err != nil {
			r.fail("DNS", fmt.Errorf("%w; check the name, and this machine's resolver", err))
			return false
		}
		r.ok("DNS", "%s is %s", host, strings.Join(addresses, ", "))
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	if u.Scheme == "http" {
		connection, err := new(net.Dialer).DialContext(ctx, "tcp", net.JoinHostPort(host, port))
		if err != nil {
			r.fail("connection", err)
			return false
		}
		_ = connection.Close()
		if uris.IsLoopback(host) {
			r.ok("connection", "%s, on this machine, without TLS", u.Host)
		} else {
			r.note("connection", "%s without TLS: codes and tokens travel unencrypted", u.Host)
		}
		return true
	}
	config := new(tls.Config)
	if c.TLS != nil {
		config = c.TLS.Clone()
	}
	connection, err := (&tls.Dialer{Config: config}).DialContext(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		r.fail("TLS", explainTLS(u, err))
		return false
	}
	defer connection.Close()
	state := connection.(*tls.Conn).ConnectionState()
	certificate := state.PeerCertificates[0]
	say := r.ok
	if time.Until(certificate.NotAfter) < certificateNote {
		say = r.note
	}
	say("TLS", "%s, %s; the certificate is good until %s", host, tls.VersionName(state.Version), certificate.NotAfter.Format(time.DateOnly))
	return true
}

// explainTLS adds what to do.
func explainTLS(u *url.URL, err error) error {
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return fmt.Errorf("%w; for an authority of your own: transport http { tls_trust_pool file <ca.pem> }", err)
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		unencrypted := *u
		unencrypted.Scheme = "http"
		return fmt.Errorf("%w; is it without TLS? Then write %s", err, &unencrypted)
	}
	return err
}

// clock compares the time of what passes with this machine's.
type clock struct {
	http.RoundTripper
	answered bool
	seen     bool
	offset   time.Duration // of this machine, seen from the IdP
}

// RoundTrip implements http.RoundTripper.
func (c *clock) RoundTrip(r *http.Request) (*http.Response, error) {
	began := time.Now()
	response, err := c.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	c.answered = true
	if date, err := http.ParseTime(response.Header.Get("Date")); err == nil {
		middle := began.Add(time.Since(began) / 2)
		// Date has whole seconds.
		c.seen, c.offset = true, middle.Sub(date.Add(time.Second/2))
	}
	return response, nil
}

func (c *clock) judge(r *report) {
	offset := c.offset.Abs().Round(time.Second)
	direction := "ahead of"
	if c.offset < 0 {
		direction = "behind"
	}
	switch {
	case !c.answered:
	case !c.seen:
		r.note("clock", "the identity provider does not say what time it is")
	case offset > clockFail:
		r.fail("clock", fmt.Errorf("this machine is %s %s the identity provider; tokens seem expired or not valid yet: set the clock (NTP)", offset, direction))
	case offset > clockNote:
		r.note("clock", "this machine is %s %s the identity provider", offset, direction)
	default:
		r.ok("clock", "both say the same time")
	}
}

// describe says what follows from the metadata, and tries the endpoints. used: the gateway
// will use it.
func (c *Checker) describe(ctx context.Context, r *report, u *url.URL, m *discovery.Metadata, used bool) {
	r.ok("metadata", "the issuer is %s", m.Issuer)
	if !used {
		r.note("metadata", "it is not used: the endpoints are configured, or the usual ones")
		return
	}
	if m.AuthorizationEndpoint == nil || m.TokenEndpoint == nil {
		r.fail("endpoints", errors.New("the metadata has no authorization_endpoint or no token_endpoint: no user can log in with a code there"))
		return
	}
	hosts := map[string]*url.URL{}
	for _, endpoint := range []struct {
		name string
		u    *url.URL
		tell string // what its absence means
	}{
		{"authorize", m.AuthorizationEndpoint, ""},
		{"token", m.TokenEndpoint, ""},
		{"userinfo", m.UserInfoEndpoint, "none: /userinfo answers 501, unless endpoint userinfo says where it is"},
		{"logout", m.EndSessionEndpoint, "none: /v2/logout returns straight to the app"},
		{"revocation", m.RevocationEndpoint, "none"},
		{"par", m.PushedAuthorizationRequestEndpoint, "none: par can't be on"},
	} {
		if endpoint.u == nil {
			r.note(endpoint.name, "%s", endpoint.tell)
			continue
		}
		r.ok(endpoint.name, "%s", endpoint.u)
		if endpoint.u.Scheme != u.Scheme || endpoint.u.Host != u.Host {
			hosts[endpoint.u.Scheme+endpoint.u.Host] = endpoint.u
		}
	}
	for _, other := range hosts {
		c.connect(ctx, r, other)
	}
	c.keys(ctx, r, m)
	switch {
	case slices.Contains(m.ChallengeMethods, "S256"):
		r.ok("PKCE", "S256")
	case len(m.ChallengeMethods) == 0:
		r.note("PKCE", "the metadata does not mention it; with callback the gateway binds codes to their logins, whether the IdP does or not")
	default:
		r.note("PKCE", "only %s; with callback the gateway checks S256 itself", strings.Join(m.ChallengeMethods, ", "))
	}
	if slices.Contains(m.ResponseModes, "form_post") {
		r.ok("response mode", "form_post, which keeps codes out of URLs")
	} else {
		r.ok("response mode", "query")
	}
	if m.SendsIssuer {
		r.ok("iss", "responses say whose they are, which the gateway requires (RFC 9207)")
	} else {
		r.ok("iss", "responses do not say whose they are (RFC 9207)")
	}
	if len(m.TokenEndpointAuthMethods) > 0 {
		r.ok("authentication", "%s", strings.Join(m.TokenEndpointAuthMethods, ", "))
	}
}

// keys fetches the keys that ID tokens are signed with.
func (c *Checker) keys(ctx context.Context, r *report, m *discovery.Metadata) {
	if m.JWKSURI == nil {
		r.note("keys", "none: ID tokens and access tokens can't be verified")
		return
	}
	set := new(jose.JSONWebKeySet)
	if err := c.getJSON(ctx, m.JWKSURI, set); err != nil {
		r.fail("keys", fmt.Errorf("%s: %w", m.JWKSURI, err))
		return
	}
	var kinds []string
	for _, key := range set.Keys {
		kind := key.Algorithm
		if kind == "" {
			kind = strings.TrimPrefix(fmt.Sprintf("%T", key.Key), "*")
		}
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	if len(set.Keys) == 0 {
		r.fail("keys", fmt.Errorf("%s has none", m.JWKSURI))
		return
	}
	r.ok("keys", "%d (%s) at %s", len(set.Keys), strings.Join(kinds, ", "), m.JWKSURI)
}

// statusError is a response other than 200.
type statusError int

func (e statusError) Error() string { return fmt.Sprintf("it answers %d", int(e)) }

// getJSON reads the document at an address. It follows no redirect.
func (c *Checker) getJSON(ctx context.Context, u *url.URL, document any) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	request := &http.Request{Method: http.MethodGet, URL: u, Header: http.Header{"Accept": {"application/json"}}}
	response, err := c.transport().RoundTrip(request.WithContext(ctx))
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return statusError(response.StatusCode)
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, maxDocument)).Decode(document); err != nil {
		return fmt.Errorf("it is not the JSON that is expected there: %w", err)
	}
	return nil
}
