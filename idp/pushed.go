package idp

import (
	"crypto/sha256"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

const (
	// pushedLifetime is how long a request_uri is good for.
	pushedLifetime = time.Minute
	// maxPushed is the longest query that is pushed, in bytes: it travels in the request_uri.
	maxPushed = 4 << 10
	// pushedPrefix begins a request_uri (RFC 9126 section 2.2).
	pushedPrefix = "urn:ietf:params:oauth:request_uri:"
	// sealedRequest is the purpose of what follows it.
	sealedRequest seal.Purpose = "pushed request"
)

// pushedRequest takes an authorization request on the back channel (RFC 9126 section 2), and
// remembers nothing of it: it is in the request_uri.
func (f *flow) pushedRequest() (Response, error) {
	const source = "RFC 9126 section 2.1"
	q, err := f.readForm("pushed authorization request", source)
	if err != nil {
		return Response{}, err
	}
	r, err := f.policy.authenticate(f.policy.registry.find(q.Get("client_id")), &q, f.r.Header)
	f.noteClient(r.party)
	if err == nil {
		err = f.authenticateClient(&r)
	}
	if err != nil {
		return Response{}, err
	}
	c := r.client
	if c == nil || c.push == oauth.Off {
		return Response{}, oauth.Reject(oauth.UnauthorizedClient, source, "this client has no par at the gateway; send its request to /authorize")
	}
	if q.Flag("request_uri") {
		return Response{}, oauth.Reject(oauth.InvalidRequest, source, "request_uri is not accepted here: the response has one")
	}
	query := queryOf(r.ClientID, &q)
	inside, err := params.Parse(string(query), "query")
	if err != nil {
		return Response{}, err
	}
	request, err := f.policy.newAuthorizeRequest(r.party, &inside)
	if err != nil {
		return Response{}, err
	}
	proof, err := f.pushedProof(c, &request)
	if err != nil {
		return Response{}, err
	}
	if proof != nil && request.key != proof.Key {
		query = params.Append(query, "dpop_jkt", proof.Key.String())
	}
	if len(query) > maxPushed {
		return Response{}, oauth.Reject(oauth.InvalidRequest, source, "the authorization request is longer than 4096 bytes")
	}
	s, err := f.sealing()
	if err == nil {
		err = f.usePushedProof(c, r.ClientID, proof)
	}
	if err != nil {
		return Response{}, err
	}
	response := Response{Status: http.StatusCreated, Header: http.Header{"Content-Type": {"application/json"}}}
	setNoStore(response.Header)
	response.Body = []byte(`{"request_uri":"` + f.policy.sealRequest(s, requestURI{until: s.Now.Add(pushedLifetime)}, string(query)) + `","expires_in":` + strconv.Itoa(int(pushedLifetime.Seconds())) + "}\n")
	return response, nil
}

// queryOf is the authorization request in a pushed one.
func queryOf(clientID string, q *params.Values) []byte {
	query := params.Append(make([]byte, 0, 1<<10), "client_id", clientID)
	for _, param := range q.List {
		switch param.Name {
		case "client_id", "client_secret", "client_assertion", "client_assertion_type":
		default:
			query = params.Append(query, param.Name, param.Value)
		}
	}
	return query
}

// pushedProof is the proof that came with a request, of the key to which the code is to be bound,
// nil if there is none (RFC 9449 section 10.1).
func (f *flow) pushedProof(c *client, request *authorizeRequest) (*dpop.Proof, error) {
	switch {
	case len(f.r.Header["Dpop"]) == 0:
		return nil, nil
	case !c.takesProofs():
		return nil, bearer.Unsupported("leave out the proof")
	}
	f.gateway.proofs.SetNonce(f.r.Context(), f.header)
	proof, err := f.gateway.proofs.Check(f.r.Context(), f.r.Header, http.MethodPost, f.policy.public.url+PushedRequest.Path(), "")
	if err == nil {
		err = holdsKey(proof, request.key)
	}
	return proof, err
}

// usePushedProof notes that a client which authenticates has used a proof. That of another one
// says no more than dpop_jkt, which anybody may push in its name: remembering proofs of
// strangers would let them fill the replay store.
func (f *flow) usePushedProof(c *client, clientID string, proof *dpop.Proof) error {
	if proof == nil || !c.isConfidential() {
		return nil
	}
	return f.useOnce(proof.ID, dpop.Remember, clientID, "proofs", "DPoP proof",
		bearer.BadProof("the DPoP proof was used before; make another one, with another jti, for each request"))
}

// requestURI is a request_uri of the gateway's own, without the request.
type requestURI struct {
	until time.Time
	// first is the key by which the request_uri is used once. One that the gateway gives to a
	// client whose silent login needs a browser has that of the first one.
	first replay.Key
	again bool
	// browser is the one that it is for; zero for any.
	browser browserHash
}

// use is the key by which a request_uri is used once.
func (u *requestURI) use() replay.Key {
	if u.again {
		return sha256.Sum256(append([]byte("request_uri again\x00"), u.first[:]...))
	}
	return u.first
}

// sealRequest is a request_uri for a query.
func (p *Policy) sealRequest(s sealer, u requestURI, query string) string {
	w := seal.NewWriter(4 + len(u.browser) + len(u.first) + len(query))
	w.Time(u.until)
	if w.Flag(u.browser != browserHash{}) {
		w.B = append(w.B, u.browser[:]...)
	}
	if w.Flag(u.again) {
		w.B = append(w.B, u.first[:]...)
	}
	return string(s.Keys.Seal([]byte(pushedPrefix), sealedRequest, p.siteContext(), append(w.B, query...)))
}

// readRequestURI reads what [Policy.sealRequest] sealed.
func readRequestURI(sealed string, plaintext []byte) (u requestURI, query string, ok bool) {
	r := seal.NewReader(plaintext)
	u.until, u.first = r.Time(), sha256.Sum256([]byte("request_uri\x00"+sealed))
	if r.Flag() {
		copy(u.browser[:], r.Bytes(len(u.browser)))
	}
	if u.again = r.Flag(); u.again {
		copy(u.first[:], r.Bytes(len(u.first)))
	}
	return u, string(r.Rest), !r.Failed
}

// ownQuery is the query with which a browser makes a request here once more. What was pushed is
// sealed again, so that nobody reads or alters it there, and lives no longer than before; u is
// zero for any other one.
func (p *Policy) ownQuery(s sealer, u requestURI, clientID, query string) string {
	if u.until.IsZero() {
		return query
	}
	return string(params.Append(params.Append(nil, "client_id", clientID), "request_uri", p.sealRequest(s, u, query)))
}

// expires is when the request is over, zero for one that was not pushed.
func (u *requestURI) expires() time.Time {
	if u == nil {
		return time.Time{}
	}
	return u.until
}

// inBrowser is what a silent login leads to that needs a browser: the same request, once more.
func (u *requestURI) inBrowser() requestURI {
	if u == nil {
		return requestURI{}
	}
	return requestURI{until: u.until, first: u.first, again: true}
}

// openPushed is the query of the authorization request that a request_uri at /authorize stands
// for, with the client that names it, or else the query itself. Of what is beside it nothing
// counts (RFC 9126 section 4).
func (f *flow) openPushed(y party, rawQuery string, q *params.Values) (query string, _ *params.Values, _ *requestURI, err error) {
	sealed, ours := strings.CutPrefix(q.Get("request_uri"), pushedPrefix)
	if !ours || !f.policy.served[PushedRequest] { // another one is rejected with it
		return rawQuery, q, nil, nil
	}
	if err := q.RejectRepeated(); err != nil {
		return "", nil, nil, err
	}
	f.noteClient(y)
	return f.openRequestURI(y.ClientID, sealed)
}

// openRequestURI is the query that a request_uri stands for.
func (f *flow) openRequestURI(clientID, sealed string) (query string, _ *params.Values, _ *requestURI, err error) {
	const source = "RFC 9126 section 4"
	var browser browserHash
	opened, err := open(f, func(s sealer) ([]byte, error) {
		browser = hashBrowser(f.policy.browser(s, f.r.Header))
		return s.Keys.Open(sealedRequest, f.policy.siteContext(), sealed)
	})
	if err != nil && !errors.Is(err, seal.ErrInvalid) && !errors.Is(err, seal.ErrUnknownKey) {
		return "", nil, nil, err
	}
	u, query, ok := readRequestURI(sealed, opened)
	switch {
	case !ok:
		return "", nil, nil, oauth.Reject(oauth.InvalidRequest, source, "request_uri is not of this gateway, too old, or was altered; go back to the app and log in again")
	case !f.gateway.parts.Now().Before(u.until):
		return "", nil, nil, oauth.Reject(oauth.InvalidRequest, source, "request_uri is older than "+pushedLifetime.String()+"; go back to the app and log in again")
	case u.browser != browserHash{} && u.browser != browser:
		return "", nil, nil, oauth.Reject(oauth.InvalidRequest, source, "request_uri is for another browser, or its cookie is missing; go back to the app and log in again")
	}
	inside, err := params.Parse(query, "query")
	if err != nil || inside.Get("client_id") != clientID {
		return "", nil, nil, oauth.Reject(oauth.InvalidRequest, source, "client_id is not that of the pushed request")
	}
	return query, &inside, &u, nil
}

// usePushed checks that a client which has to push its requests did so. A request of a client
// that authenticates is used once, but for the browser that a consent page leads back to it:
// nobody else can push one for it.
func (f *flow) usePushed(r *authorizeRequest) error {
	c := r.client
	switch {
	case c == nil, r.uri == nil && c.push != oauth.Required:
		return nil
	case r.uri == nil:
		return oauth.Reject(oauth.InvalidRequest, "RFC 9126 section 5", "this client has to push its authorization requests to "+PushedRequest.Path()+" (par required)")
	case !c.isConfidential() || r.uri.browser != browserHash{}:
		return nil
	}
	return f.useOnce(r.uri.use(), pushedLifetime+seal.Skew, r.ClientID, "pushed requests", "request_uri",
		oauth.Reject(oauth.InvalidRequest, "RFC 9126 section 4", "request_uri was used before; go back to the app and log in again"))
}
