package check

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// allow is what to do about a client that is not admitted.
const allow = "to let it in, allow %s in dynamic_clients or protect_mcp"

// resourceMetadata is the metadata of a protected resource (RFC 9728 section 2).
type resourceMetadata struct {
	Resource string   `json:"resource"`
	Servers  []string `json:"authorization_servers"`
}

// serverMetadata is the metadata of an authorization server (RFC 8414 section 2).
type serverMetadata struct {
	Issuer           string   `json:"issuer"`
	Authorize        string   `json:"authorization_endpoint"`
	Token            string   `json:"token_endpoint"`
	Register         string   `json:"registration_endpoint"`
	ChallengeMethods []string `json:"code_challenge_methods_supported"`
	AuthMethods      []string `json:"token_endpoint_auth_methods_supported"`
	SendsIssuer      bool     `json:"authorization_response_iss_parameter_supported"`
	Documents        bool     `json:"client_id_metadata_document_supported"`
}

// CheckMCP does at a Model Context Protocol (MCP) server what clients do that know
// nothing but its URL, up to the login, and prints what it finds. It registers the
// clients of [uris.Published] there. The error is the first thing that keeps all
// clients out.
func (c *Checker) CheckMCP(ctx context.Context, out io.Writer, address string) error {
	if !strings.Contains(address, "://") {
		address = "https://" + address
	}
	u, err := parseWebURL(address)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s\n\n", u)
	r := &report{out: out}
	if !c.connect(ctx, r, u) {
		return r.err
	}
	described, ok := c.initialize(ctx, r, u)
	if !ok {
		return r.err
	}
	server, ok := c.resource(ctx, r, u, described)
	if !ok {
		return r.err
	}
	if server.Host != u.Host && !c.connect(ctx, r, server) {
		return r.err
	}
	if m, ok := c.server(ctx, r, server); ok {
		c.clients(ctx, r, m)
	}
	return r.err
}

func parseWebURL(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.User != nil || u.Fragment != "" {
		return nil, fmt.Errorf("%q is not a URL such as https://mcp.example.com/mcp", address)
	}
	return u, nil
}

const initializeRequest = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
	`"clientInfo":{"name":"caddy-identity-gateway","version":"1"}}}`

var resourceMetadataParameter = regexp.MustCompile(`(?i)\bresource_metadata\s*=\s*(?:"([^"]*)"|([^\s",]+))`)

// initialize calls the server without a token, and returns where it says that its
// metadata is, "" if it does not say so.
func (c *Checker) initialize(ctx context.Context, r *report, u *url.URL) (described string, ok bool) {
	const step = "challenge"
	a, err := c.post(ctx, u.String(), "application/json, text/event-stream", initializeRequest)
	if err != nil {
		r.fail(step, err)
		return "", false
	}
	switch status := a.status; {
	case status == http.StatusUnauthorized:
	case status < 300:
		r.fail(step, fmt.Errorf("it answers %d to initialize without a token: nothing protects it, and no client logs in", status))
		return "", false
	case status < 400:
		r.fail(step, fmt.Errorf("it answers %d and sends to %s: give clients that URL", status, a.header.Get("Location")))
		return "", false
	default:
		r.fail(step, fmt.Errorf("it answers %d to initialize instead of 401: is this the URL that clients use?", status))
		return "", false
	}
	match := resourceMetadataParameter.FindStringSubmatch(strings.Join(a.header["Www-Authenticate"], ", "))
	if match == nil {
		r.note(step, "401, but WWW-Authenticate has no resource_metadata (RFC 9728 section 5.1): clients guess where it is, if they do")
		return "", true
	}
	described = cmp.Or(match[1], match[2])
	r.ok(step, "401, resource_metadata %s", described)
	return described, true
}

// resource finds the metadata of the server, and returns its authorization server.
func (c *Checker) resource(ctx context.Context, r *report, u *url.URL, described string) (*url.URL, bool) {
	const step = "resource"
	addresses := []string{described}
	if described == "" { // RFC 9728 section 3.1
		root := u.Scheme + "://" + u.Host + "/.well-known/oauth-protected-resource"
		addresses = slices.Compact([]string{root + strings.TrimSuffix(u.EscapedPath(), "/"), root})
	}
	var m resourceMetadata
	if _, err := c.firstOf(ctx, addresses, &m); err != nil {
		r.fail(step, fmt.Errorf("no metadata of the protected resource: %w\nin front of the server: protect_mcp, or resource in require_token", err))
		return nil, false
	}
	switch configured, err := parseWebURL(m.Resource); {
	case err != nil:
		r.fail(step, fmt.Errorf("the metadata's resource: %w", err))
		return nil, false
	case !isBelow(u, configured):
		r.fail(step, fmt.Errorf("the metadata is of %s; clients want the origin of this URL, and its path or a path above it", m.Resource))
		return nil, false
	case len(m.Servers) == 0:
		r.fail(step, errors.New("the metadata has no authorization_servers"))
		return nil, false
	}
	server, err := parseWebURL(m.Servers[0])
	if err != nil {
		r.fail(step, fmt.Errorf("authorization_servers: %w", err))
		return nil, false
	}
	r.ok(step, "%s, whose authorization server is %s", m.Resource, m.Servers[0])
	return server, true
}

// isBelow compares a URL with a resource as the SDKs do: one origin, and whole segments
// of the path.
func isBelow(u, resource *url.URL) bool {
	folder := func(u *url.URL) string { return strings.TrimSuffix(u.EscapedPath(), "/") + "/" }
	return uris.SameOrigin(u, resource) && strings.HasPrefix(folder(u), folder(resource))
}

// server finds the metadata of an authorization server, and checks what no client does
// without.
func (c *Checker) server(ctx context.Context, r *report, server *url.URL) (*serverMetadata, bool) {
	path := strings.TrimSuffix(server.EscapedPath(), "/")
	origin := server.Scheme + "://" + server.Host
	addresses := slices.Compact([]string{ // in the order of clients
		origin + "/.well-known/oauth-authorization-server" + path,
		origin + "/.well-known/openid-configuration" + path,
		origin + path + "/.well-known/openid-configuration",
	})
	m := new(serverMetadata)
	found, err := c.firstOf(ctx, addresses, m)
	if err != nil {
		r.fail("server", fmt.Errorf("no metadata of the authorization server: %w", err))
		return nil, false
	}
	switch {
	case m.Issuer == server.String():
		r.ok("server", "%s", found)
	case strings.TrimSuffix(m.Issuer, "/") == strings.TrimSuffix(server.String(), "/"):
		r.note("server", "%s: the issuer is %s, and authorization_servers says %s; clients may mind the slash", found, m.Issuer, server)
	default:
		r.fail("server", fmt.Errorf("%s: the issuer is %q, and authorization_servers says %s; they must be equal (RFC 8414 section 3.3)", found, m.Issuer, server))
	}
	if m.Authorize == "" || m.Token == "" {
		r.fail("endpoints", errors.New("the metadata has no authorization_endpoint or no token_endpoint"))
	}
	if slices.Contains(m.ChallengeMethods, "S256") {
		r.ok("PKCE", "S256")
	} else {
		r.fail("PKCE", errors.New("code_challenge_methods_supported has no S256: clients stop here"))
	}
	if m.SendsIssuer {
		r.ok("iss", "responses say whose they are (RFC 9207)")
	} else {
		r.note("iss", "no authorization_response_iss_parameter_supported: clients can't tell mixed-up servers (RFC 9207)")
	}
	return m, r.err == nil
}

// clients says how each published client gets a client id.
func (c *Checker) clients(ctx context.Context, r *report, m *serverMetadata) {
	const step = "client ids"
	documents := m.Documents && slices.Contains(m.AuthMethods, idp.AuthNone)
	switch {
	case documents:
		r.ok(step, "client_id_metadata_document_supported")
	case m.Documents:
		r.note(step, "client_id_metadata_document_supported, but token_endpoint_auth_methods_supported has no none: public clients can't use it")
	default:
		r.note(step, "no client_id_metadata_document_supported")
	}
	if m.Register != "" {
		r.ok(step, "registration_endpoint %s", m.Register)
	} else {
		r.note(step, "no registration_endpoint")
	}
	admitted := false
	for _, name := range uris.Published() {
		uris, document := uris.PublishedClient(name)
		switch {
		case documents && document != "":
			r.ok(name, "has the client id %s", document)
			admitted = true
		case m.Register == "":
			r.note(name, "finds no way to get a client id")
		default:
			admitted = c.register(ctx, r, m.Register, name, uris) || admitted
		}
	}
	if !admitted {
		r.fail(step, errors.New("no client gets one: they need registration, or metadata_documents, in dynamic_clients, or protect_mcp, which has both"))
	}
}

// register registers a client, and reports whether it has an id then.
func (c *Checker) register(ctx context.Context, r *report, endpoint, name string, uris []string) bool {
	for i, uri := range uris {
		if before, ok := strings.CutSuffix(uri, "*"); ok {
			uris[i] = before + "check"
		}
	}
	body, err := json.Marshal(map[string]any{
		"client_name": name + " (caddy identity-gateway check)", "redirect_uris": uris,
		"grant_types": []string{"authorization_code", "refresh_token"}, "response_types": []string{"code"}, "token_endpoint_auth_method": idp.AuthNone,
	})
	if err != nil {
		panic(err) // strings
	}
	a, err := c.post(ctx, endpoint, "application/json", string(body))
	if err != nil {
		r.note(name, "can't register: %s", err)
		return false
	}
	var registered struct {
		ClientID     string   `json:"client_id"`
		RedirectURIs []string `json:"redirect_uris"`
		Code         string   `json:"error"`
		Description  string   `json:"error_description"`
	}
	if err = json.Unmarshal(a.body, &registered); err != nil || a.status >= 300 || registered.ClientID == "" {
		refusal := strings.TrimSpace(fmt.Sprintf("%d %s %s", a.status, registered.Code, registered.Description))
		if registered.Code == string(oauth.InvalidRedirectURI) {
			refusal += "\n" + fmt.Sprintf(allow, name)
		}
		r.note(name, "is refused: %s", refusal)
		return false
	}
	if registered.RedirectURIs == nil {
		registered.RedirectURIs = uris
	}
	missing := slices.DeleteFunc(slices.Clone(uris), func(uri string) bool { return slices.Contains(registered.RedirectURIs, uri) })
	if len(missing) > 0 {
		r.note(name, "registers %s, but not %s\n"+allow, strings.Join(registered.RedirectURIs, ", "), strings.Join(missing, ", "), name)
	} else {
		r.ok(name, "registers %s", strings.Join(uris, ", "))
	}
	return true
}

// firstOf reads the document that is at the first of some addresses where there is one,
// and returns the address.
func (c *Checker) firstOf(ctx context.Context, addresses []string, document any) (string, error) {
	var failures []error
	for _, address := range addresses {
		u, err := parseWebURL(address)
		if err != nil {
			return "", err
		}
		if err = c.getJSON(ctx, u, document); err == nil {
			return address, nil
		}
		failures = append(failures, fmt.Errorf("%s: %w", address, err))
		if !errors.As(err, new(statusError)) {
			break // clients look no further either
		}
	}
	return "", errors.Join(failures...)
}

// reply is a response that has been read.
type reply struct {
	status int
	header http.Header
	body   []byte // none of an event stream, which may not end
}

// post sends JSON. It follows no redirect.
func (c *Checker) post(ctx context.Context, address, accept, body string) (*reply, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", accept)
	response, err := c.transport().RoundTrip(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	a := &reply{status: response.StatusCode, header: response.Header}
	if !strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		a.body, err = io.ReadAll(io.LimitReader(response.Body, maxDocument))
	}
	return a, err
}
