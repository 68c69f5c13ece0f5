package idp

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
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
	form, err := f.readBody()
	if err != nil {
		return Response{}, err
	}
	q, err := parseForm("pushed authorization request", source, f.r.URL.RawQuery, f.r.Header, form)
	if err != nil {
		return Response{}, err
	}
	r, c, err := f.policy.authenticate(&q, f.r.Header)
	f.identify(r.ClientID)
	if err == nil {
		err = f.authenticateClient(&r)
	}
	if err != nil {
		return Response{}, err
	}
	if c == nil || c.push == oauth.Off {
		return Response{}, oauth.Reject(oauth.UnauthorizedClient, source, "this client has no par at the gateway; send its request to /authorize")
	}
	if q.flag("request_uri") {
		return Response{}, oauth.Reject(oauth.InvalidRequest, source, "request_uri is not accepted here: the response has one")
	}
	query, object, err := f.pushedQuery(c, r.ClientID, &q)
	if err != nil {
		return Response{}, err
	}
	request, err := f.policy.parseAuthorize(string(query))
	if err != nil {
		return Response{}, err
	}
	if key, err := f.pushedKey(c, &request); err != nil {
		return Response{}, err
	} else if key != "" {
		query = appendParam(query, "dpop_jkt", key)
	}
	if len(query) > maxPushed {
		return Response{}, oauth.Reject(oauth.InvalidRequest, source, "the authorization request is longer than 4096 bytes")
	}
	s, err := f.sealing()
	if err == nil {
		err = f.useObject(r.ClientID, object)
	}
	if err != nil {
		return Response{}, err
	}
	response := Response{Status: http.StatusCreated, Header: http.Header{"Content-Type": {"application/json"}}}
	setNoStore(response.Header)
	response.Body = []byte(`{"request_uri":"` + f.policy.sealRequest(s, string(query)) + `","expires_in":` + strconv.Itoa(int(pushedLifetime.Seconds())) + "}\n")
	return response, nil
}

// pushedQuery is the authorization request in a pushed one, with the request object that it came
// in, if it did (RFC 9126 section 3).
func (f *flow) pushedQuery(c *client, clientID string, q *params) (query []byte, object *replay.Key, err error) {
	if object := q.get("request"); object != "" && c.takesObjects() {
		query, used, err := f.signedRequest(c, clientID, object)
		return []byte(query), used, err
	}
	query = appendParam(make([]byte, 0, 1<<10), "client_id", clientID)
	for _, param := range q.list {
		switch param.name {
		case "client_id", "client_secret", "client_assertion", "client_assertion_type":
		default:
			query = appendParam(query, param.name, param.value)
		}
	}
	return query, nil, c.checkSigned(nil)
}

// pushedKey is the key that the code is to be bound to because of the proof that came with a
// request, "" if there is none, or if it is in dpop_jkt (RFC 9449 section 10.1).
func (f *flow) pushedKey(c *client, request *authorizeRequest) (string, error) {
	switch {
	case len(f.r.Header["Dpop"]) == 0:
		return "", nil
	case !c.takesProofs():
		return "", bearer.Unsupported("leave out the proof")
	}
	f.gateway.proofs.SetNonce(f.r.Context(), f.header)
	proof, err := f.gateway.proofs.Check(f.r.Context(), f.r.Header, http.MethodPost, f.policy.public.url+PushedRequest.Path(), "")
	if err != nil {
		return "", err
	}
	if err := holdsKey(proof, request.key); err != nil {
		return "", err
	}
	if request.key == proof.Key {
		return "", nil
	}
	return proof.Key.String(), nil
}

// sealRequest is a request_uri of
//
//	expiry in Unix seconds (8) | the query
func (p *Policy) sealRequest(s sealer, query string) string {
	b := binary.BigEndian.AppendUint64(nil, uint64(s.Now.Add(pushedLifetime).Unix()))
	return string(s.Keys.Seal([]byte(pushedPrefix), sealedRequest, p.siteContext(), append(b, query...)))
}

// ownQuery is the query with which a browser makes a request here once more: one that could
// have been pushed, or signed, is sealed again, so that nobody reads or alters it there.
func (p *Policy) ownQuery(s sealer, clientID, query string) string {
	if c := p.find(clientID); c == nil || c.push == oauth.Off && c.jar == oauth.Off || len(query) > maxPushed {
		return query
	}
	return string(appendParam(appendParam(nil, "client_id", clientID), "request_uri", p.sealRequest(s, query)))
}

// carriage is what an authorization request came in, and is used once: a request_uri of the
// gateway's own, or a request object. Both are nil for a plain one.
type carriage struct{ pushed, signed *replay.Key }

// carried is the query of the authorization request that a request_uri or request object at
// /authorize stands for, with the client that names it, or else the query itself. Of what is
// beside either nothing counts (RFC 9126 section 4, RFC 9101 section 6.3).
func (f *flow) carried(rawQuery string) (query string, in carriage, err error) {
	if !f.policy.served[PushedRequest] && !f.policy.takesSigned {
		return rawQuery, in, nil
	}
	q, err := parseParams(rawQuery, "query")
	if err != nil {
		return "", in, err
	}
	object, clientID := q.get("request"), q.get("client_id")
	sealed, ours := strings.CutPrefix(q.get("request_uri"), pushedPrefix)
	c := f.policy.find(clientID)
	isSigned := object != "" && c.takesObjects() && !ours
	if !ours && !isSigned {
		return rawQuery, in, nil // what is of nobody's is rejected with it
	}
	if err := q.rejectRepeated(); err != nil {
		return "", in, err
	}
	f.identify(clientID)
	if isSigned && q.flag("request_uri") {
		return "", in, badObject("request and request_uri are both there; send one (RFC 9101 section 5)")
	}
	if isSigned {
		query, in.signed, err = f.signedRequest(c, clientID, object)
	} else {
		query, in.pushed, err = f.openPushed(clientID, sealed)
	}
	return query, in, err
}

// openPushed is the query that a request_uri stands for, and the key by which it is used once.
func (f *flow) openPushed(clientID, sealed string) (query string, pushed *replay.Key, err error) {
	const source = "RFC 9126 section 4"
	opened, err := open(f, func(s sealer) ([]byte, error) { return s.Keys.Open(sealedRequest, f.policy.siteContext(), sealed) })
	switch {
	case errors.Is(err, seal.ErrInvalid), errors.Is(err, seal.ErrUnknownKey), err == nil && len(opened) < 8:
		return "", nil, oauth.Reject(oauth.InvalidRequest, source, "request_uri is not of this gateway, too old, or was altered; go back to the app and log in again")
	case err != nil:
		return "", nil, err
	case f.gateway.parts.Now().Unix() >= int64(binary.BigEndian.Uint64(opened)):
		return "", nil, oauth.Reject(oauth.InvalidRequest, source, "request_uri is older than "+pushedLifetime.String()+"; go back to the app and log in again")
	}
	query = string(opened[8:])
	inside, err := parseParams(query, "query")
	if err != nil || inside.get("client_id") != clientID {
		return "", nil, oauth.Reject(oauth.InvalidRequest, source, "client_id is not that of the pushed request")
	}
	key := replay.Key(sha256.Sum256([]byte("request_uri\x00" + sealed)))
	return query, &key, nil
}

// useCarriage checks that a client which has to push or sign its requests did so. A request of
// a client that authenticates is used once: nobody else can push or sign one for it, and its
// users have no more of [Policy.ownQuery] than its part of the replay store holds.
func (f *flow) useCarriage(r *authorizeRequest, in carriage) error {
	c := f.policy.find(r.ClientID)
	switch {
	case c == nil:
		return nil
	case in.pushed == nil && c.push != oauth.Required:
		return cmp.Or(c.checkSigned(in.signed), f.useObject(r.ClientID, in.signed))
	case in.pushed == nil:
		return oauth.Reject(oauth.InvalidRequest, "RFC 9126 section 5", "this client has to push its authorization requests to "+PushedRequest.Path()+" (par required)")
	case !c.isConfidential():
		return nil
	}
	return f.useOnce(*in.pushed, pushedLifetime+seal.Skew, r.ClientID, "pushed requests", "request_uri",
		oauth.Reject(oauth.InvalidRequest, "RFC 9126 section 4", "request_uri was used before; go back to the app and log in again"))
}
