package idp

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/identity-gateway/caddy-identity-gateway/idp/bearer"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/clients"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/cookie"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/header"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
)

// pushFlow is a pushed authorization request on its way to its request_uri.
type pushFlow struct {
	*flow
	client  clients.Auth
	request authorizeRequest
	// proof is the DPoP proof, nil if there is none.
	proof *dpop.Proof
}

// serve takes an authorization request on the back channel (RFC 9126 section 2), and
// remembers nothing of it: it is in the request_uri.
func (f *pushFlow) serve() (Response, error) {
	query, err := f.read()
	if err != nil {
		return Response{}, err
	}
	if err := f.checkProof(); err != nil {
		return Response{}, err
	}
	if f.proof != nil && f.request.key != f.proof.Key {
		query = params.Append(query, "dpop_jkt", f.proof.Key.String())
	}
	if len(query) > login.MaxRequest {
		return Response{}, oauth.Reject(oauth.InvalidRequest, pushSource, "the authorization request is longer than "+strconv.Itoa(login.MaxRequest)+" bytes")
	}
	s, err := f.newSealer()
	if err == nil {
		err = f.useProof()
	}
	if err != nil {
		return Response{}, err
	}
	response := Response{Status: http.StatusCreated, Header: header.Of("application/json")}
	response.Body = []byte(`{"request_uri":"` + f.policy.codec.SealRequest(s.Keys, login.RequestURI{Until: s.Now.Add(login.RequestLifetime)}, string(query)) + `","expires_in":` + strconv.Itoa(int(login.RequestLifetime.Seconds())) + "}\n")
	return response, nil
}

// pushSource is where RFC 9126 says what a pushed request is.
const pushSource = "RFC 9126 section 2.1"

// read reads the form, authenticates the client and checks its authorization request, which query is.
func (f *pushFlow) read() (query []byte, err error) {
	q, err := params.ReadForm(f.r.Request, f.header, "pushed authorization request", pushSource)
	if err != nil {
		return nil, err
	}
	f.client, err = f.policy.registry.Authenticate(f.policy.registry.Find(q.Get("client_id")), &q, f.r.Header)
	f.noteClient(f.client.Party)
	if err == nil {
		err = f.authenticateClient(&f.client)
	}
	if err != nil {
		return nil, err
	}
	if c := f.client.Client; c == nil || c.Push == oauth.Off {
		return nil, oauth.Reject(oauth.UnauthorizedClient, pushSource, "this client has no par at the gateway; send its request to /authorize")
	}
	if q.Flag("request_uri") {
		return nil, oauth.Reject(oauth.InvalidRequest, pushSource, "request_uri is not accepted here: the response has one")
	}
	query = queryOf(f.client.ClientID, &q)
	inside, err := params.Parse(string(query), "query")
	if err != nil {
		return nil, err
	}
	asksOpenID := params.HasScope(inside.Get("scope"), "openid") // whatever the request makes of it
	if f.request, err = f.policy.newAuthorizeRequest(f.client.Party, &inside); err != nil {
		return nil, err
	}
	return query, f.checkNamed(asksOpenID)
}

// checkNamed requires a redirect_uri where a profile does, also of a client that has only one (FAPI
// 2.0 Security Profile section 5.3.2.2, OpenID Connect Core 1.0 section 3.1.2.1).
func (f *pushFlow) checkNamed(asksOpenID bool) error {
	switch {
	case f.request.Named:
	case f.client.Client.Push == oauth.Required:
		return params.Missing("redirect_uri", "FAPI 2.0 Security Profile section 5.3.2.2; this client has par required at the gateway")
	case asksOpenID:
		return params.Missing("redirect_uri", "OpenID Connect Core 1.0 section 3.1.2.1; the scope has openid")
	}
	return nil
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

// checkProof checks the proof that came with the request, of the key to which the code is to be bound
// (RFC 9449 section 10.1).
func (f *pushFlow) checkProof() (err error) {
	switch {
	case len(f.r.Header["Dpop"]) == 0:
		return nil
	case !f.client.Client.TakesProofs():
		return bearer.Unsupported("leave out the proof")
	}
	f.gateway.proofs.SetNonce(f.r.Context(), f.header)
	f.proof, err = f.gateway.proofs.Check(f.r.Context(), f.r.Header, http.MethodPost, f.policy.public.url+PushedRequest.Path(), "")
	if named := f.request.key; err == nil && named != (dpop.Thumbprint{}) && f.proof.Key != named {
		err = bearer.BadProof("the DPoP proof is made with another key than dpop_jkt says (RFC 9449 section 10.1)")
	}
	return err
}

// useProof notes that a client which authenticates has used the proof. That of another one
// says no more than dpop_jkt, which anybody may push in its name: remembering proofs of
// strangers would let them fill the replay store.
func (f *pushFlow) useProof() error {
	if f.proof == nil || !f.client.Client.IsConfidential() {
		return nil
	}
	return f.useOnce(f.proof.ID, dpop.Remember, f.client.ClientID, "proofs", "DPoP proof",
		bearer.BadProof("the DPoP proof was used before; make another one, with another jti, for each request"))
}

// openPushed is the authorization request, query and parsed, that a request_uri at /authorize stands
// for, with the client that names it. Of what is beside it in q nothing counts (RFC 9126 section 4).
func (f *authorizeFlow) openPushed(y clients.Party, sealed string, q *params.Values) (query string, inside params.Values, _ *login.RequestURI, err error) {
	if err := q.RejectRepeated(); err != nil {
		return "", inside, nil, err
	}
	f.noteClient(y)
	const source = "RFC 9126 section 4"
	var browser login.BrowserHash
	var u login.RequestURI
	query, err = open(f.flow, func(s sealer) (query string, err error) {
		browser = login.HashBrowser(cookie.Of(s.Callback, f.r.Header))
		u, query, err = f.policy.codec.OpenRequest(s.Keys, sealed)
		return query, err
	})
	switch {
	case errors.Is(err, seal.ErrInvalid), errors.Is(err, seal.ErrUnknownKey):
		return "", inside, nil, oauth.Reject(oauth.InvalidRequestURI, source, "request_uri is not of this gateway, too old, or was altered; go back to the app and log in again")
	case err != nil:
		return "", inside, nil, err
	case !f.gateway.parts.Now().Before(u.Until):
		return "", inside, nil, oauth.Reject(oauth.InvalidRequestURI, source, "request_uri is older than "+login.RequestLifetime.String()+"; go back to the app and log in again")
	case u.Browser != login.BrowserHash{} && u.Browser != browser:
		return "", inside, nil, oauth.Reject(oauth.InvalidRequestURI, source, "request_uri is for another browser, or its cookie is missing; go back to the app and log in again")
	}
	if inside, err = params.Parse(query, "query"); err != nil || inside.Get("client_id") != y.ClientID {
		return "", inside, nil, oauth.Reject(oauth.InvalidRequest, source, "client_id is not that of the pushed request")
	}
	return query, inside, &u, nil
}

// usePushed checks that a client which has to push its requests did so. A request of a client
// that authenticates is used once, but for the browser that it was made for since
// ([authorizeFlow.toReload]): nobody else can push one for it. used reports that this was the use.
func (f *authorizeFlow) usePushed() (used bool, err error) {
	r, c := &f.request, f.request.Client
	switch {
	case c == nil, r.uri == nil && c.Push != oauth.Required:
		return false, nil
	case r.uri == nil:
		return false, oauth.Reject(oauth.InvalidRequest, "RFC 9126 section 5", "this client has to push its authorization requests to "+PushedRequest.Path()+" (par required)")
	case !c.IsConfidential() || r.uri.Browser != login.BrowserHash{}:
		return false, nil
	}
	err = f.useOnce(r.uri.Use(), login.RequestLifetime+seal.Skew, r.ClientID, "pushed requests", "request_uri",
		oauth.Reject(oauth.InvalidRequestURI, "RFC 9126 section 4", "request_uri was used before; go back to the app and log in again"))
	return err == nil, err
}
