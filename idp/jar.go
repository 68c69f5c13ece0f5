package idp

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/jwt"
	"github.com/identity-gateway/caddy-identity-gateway/idp/jwks"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

const (
	// maxRequestObject is the longest request object that is read, in bytes: anybody can send
	// one. What is in it is pushed at most ([maxPushed]).
	maxRequestObject = 8 << 10
	// requestObjectAge is how old one may be (FAPI 2.0 Message Signing section 5.3.1).
	requestObjectAge = time.Hour
)

// addJAR checks what a client has of signed requests.
func (p *Policy) addJAR(config ClientConfig) error {
	if config.JAR != oauth.Off && config.Keys == nil {
		return fmt.Errorf("jar needs the keys with which the client signs: jwks, with token_endpoint_auth %s", AuthPrivateKeyJWT)
	}
	p.takesSigned = p.takesSigned || config.JAR != oauth.Off
	return nil
}

// takesObjects reports whether a client may sign its requests; c may be nil.
func (c *client) takesObjects() bool { return c != nil && c.jar != oauth.Off }

// requestObject is an authorization request that a client has signed (RFC 9101 section 4).
type requestObject struct {
	jwtTimes

	Issuer     string                    `json:"iss"`
	Subject    jsontext.Value            `json:"sub"`
	Audience   jwt.List                  `json:"aud"`
	ID         string                    `json:"jti"`
	ClientID   string                    `json:"client_id"`
	Parameters map[string]jsontext.Value `json:",embed"`
}

// signedRequest is the query of the authorization request in a client's request object, and
// the key by which it is used once. What is beside the object does not count.
func (f *flow) signedRequest(c *client, clientID, text string) (query string, key *replay.Key, err error) {
	if len(text) > maxRequestObject {
		return "", nil, badObject("the request object is longer than 8192 bytes")
	}
	signed, err := jwks.Parse(text)
	if err != nil {
		return "", nil, badObject("request is no JWT with an asymmetric signature; encrypted ones are not supported")
	}
	object, err := f.readObject(clientID, signed)
	if err != nil {
		return "", nil, err
	}
	if query, err = object.query(); err != nil {
		return "", nil, err
	}
	// Last: what the claims reject costs no signature. Of the rest anybody may ask for one each.
	if err := verifySignature(f.r.Context(), c.keys, signed, badObject("the request object is not signed with a key of the client")); err != nil {
		return "", nil, err
	}
	id := object.ID
	if id == "" {
		id = string(signed.UnsafePayloadWithoutVerification())
	}
	used := replay.Key(sha256.Sum256([]byte("request object\x00" + clientID + "\x00" + id)))
	return query, &used, nil
}

// readObject compares the claims of a request object, whose signature is not verified yet. A
// client assertion is none: it has a sub (RFC 9101 section 10.8), and no client_id.
func (f *flow) readObject(clientID string, signed *jose.JSONWebSignature) (object requestObject, err error) {
	typ := jwt.Type(signed.Signatures[0].Protected)
	now := f.gateway.parts.Now()
	switch {
	case typ != "" && typ != "jwt" && typ != "oauth-authz-req+jwt":
		err = badObject("request has the typ of another kind of JWT; use oauth-authz-req+jwt")
	case json.Unmarshal(signed.UnsafePayloadWithoutVerification(), &object) != nil:
		err = badObject("the claims of the request object can't be read")
	case object.ClientID != clientID || object.Issuer != clientID:
		err = badObject("client_id and iss of the request object must be the client_id beside it")
	case object.Subject != nil:
		err = badObject("the request object has a sub, as a client assertion has; leave it out")
	case !slices.Contains(object.Audience, f.policy.public.url):
		err = badObject("aud of the request object must be the gateway's issuer, " + f.policy.public.url)
	case len(object.ID) > 256:
		err = badObject("jti of the request object is longer than 256 bytes")
	}
	if err != nil {
		return object, err
	}
	if wrong := object.wrong(now); wrong != "" {
		return object, badObject("the request object " + wrong)
	}
	if issued := max(object.NotBefore, object.IssuedAt); issued < float64(now.Add(-requestObjectAge).Unix()) {
		return object, badObject("the request object has no nbf and no iat, or is older than an hour; make one for each request")
	}
	return object, nil
}

// query is the request as it would be without an object, for [Policy.parseAuthorize].
func (o *requestObject) query() (string, error) {
	query := appendParam(make([]byte, 0, 1<<10), "client_id", o.ClientID)
	for _, name := range slices.Sorted(maps.Keys(o.Parameters)) {
		if name == "request" || name == "request_uri" {
			return "", badObject(name + " is not accepted inside a request object")
		}
		values, ok := parameterValues(name, o.Parameters[name])
		if !ok {
			return "", badObject(printableName(name) + " in the request object is not a string or a number")
		}
		for _, value := range values {
			query = appendParam(query, name, value)
		}
	}
	if len(query) > maxPushed {
		return "", badObject("the authorization request in the request object is longer than 4096 bytes")
	}
	return string(query), nil
}

// parameterValues are those of a parameter by its claim (RFC 9101 section 4): what is JSON as a
// parameter is JSON here.
func parameterValues(name string, claim jsontext.Value) (values []string, ok bool) {
	switch kind := claim.Kind(); {
	case kind == '"':
		text, err := jsontext.AppendUnquote(nil, claim)
		return []string{string(text)}, err == nil
	case kind == '0', kind == 't', kind == 'f':
		return []string{string(claim)}, true
	case kind == '[' && isRepeatable(name):
		return values, json.Unmarshal(claim, &values) == nil
	case name == "claims" && kind == '{', name == authorizationDetails && kind == '[':
		return []string{string(claim)}, claim.Compact() == nil
	}
	return nil, false
}

// checkSigned checks that a client which has to sign its requests did so; object is nil if it
// did not.
func (c *client) checkSigned(object *replay.Key) error {
	if c == nil || c.jar != oauth.Required || object != nil {
		return nil
	}
	return oauth.Reject(oauth.InvalidRequest, "RFC 9101 section 10.5", "this client has to sign its authorization requests: send a request object as request (jar required)")
}

// useObject notes that a request object was used.
func (f *flow) useObject(clientID string, object *replay.Key) error {
	if object == nil {
		return nil
	}
	return f.useOnce(*object, assertionMemory, clientID, "request objects", "request object",
		badObject("the request object was used before; make another one, with another jti, for each request"))
}

// badObject rejects a request object.
func badObject(description string) *oauth.Error {
	return oauth.Reject(oauth.InvalidRequestObject, "RFC 9101 section 6", description)
}
