package idp

import (
	"slices"
	"strings"
)

// LogoutRequest is a checked logout request.
type LogoutRequest struct {
	// ClientID, the client's id at the IdP, and ReturnTo are "" if the client sent none.
	ClientID, ReturnTo string
	// Federated asks the IdP to also log the user out of the provider behind it.
	Federated bool

	forwarded   []param
	rpInitiated bool
}

// ParseLogout checks the query of a logout request.
func (p *Policy) ParseLogout(rawQuery string) (LogoutRequest, error) {
	r := LogoutRequest{rpInitiated: p.rpInitiated}
	q, err := parseParams(rawQuery, "query")
	if err == nil {
		err = q.rejectRepeated()
	}
	if err != nil {
		return r, err
	}
	if r.ClientID, err = q.oneOf("client_id", "clientId"); err != nil {
		return r, err
	}
	if r.ReturnTo, err = q.oneOf("returnTo", "post_logout_redirect_uri"); err != nil {
		return r, err
	}
	r.Federated = q.flag("federated")

	returnTo := p.returnTo
	if r.ClientID != "" {
		if !vsChar.holds(r.ClientID) {
			return r, reject(InvalidRequest, "RFC 6749 appendix A.1", "client_id must be printable ASCII")
		}
		c, ok := p.client(r.ClientID)
		if !ok {
			return r, reject(UnauthorizedClient, "RFC 6749 section 2.2", unregistered)
		}
		if c != nil {
			returnTo = c.returnTo
			r.ClientID = c.idpID(r.ClientID)
		}
	}
	if r.ReturnTo != "" {
		if err := checkReturnTo(r.ReturnTo); err != nil {
			return r, reject(InvalidRequest, "RFC 9700 section 4.11", "returnTo "+err.Error())
		}
		if len(returnTo) > 0 && !slices.Contains(returnTo, r.ReturnTo) {
			return r, reject(InvalidRequest, "RFC 9700 section 4.11",
				"returnTo is not one that is registered as return_to at the gateway; it must be equal character by character")
		}
	}
	r.forwarded = q.list[:0]
	for _, param := range q.list {
		switch param.name {
		// OpenID Connect RP-Initiated Logout 1.0 section 2. Anything else could
		// be another server's name for returnTo.
		case "id_token_hint", "logout_hint", "state", "ui_locales":
			r.forwarded = append(r.forwarded, param)
		}
	}
	return r, nil
}

// oneOf returns the value of a parameter that goes by two names. Both at once
// must be equal.
func (p *params) oneOf(name, alias string) (string, error) {
	value, other := p.get(name), p.get(alias)
	switch {
	case value == "":
		return other, nil
	case other != "" && other != value:
		return "", reject(InvalidRequest, "RFC 6749 section 3.1", name+" and "+alias+" mean the same and differ; send one")
	}
	return value, nil
}

// LogoutURL is the URL at the IdP to which the browser is sent.
func (p *Policy) LogoutURL(r *LogoutRequest) string {
	var buffer [512]byte
	location := r.AppendQuery(append(p.AppendURL(buffer[:0], Logout), '?'))
	return strings.TrimSuffix(string(location), "?")
}

// AppendQuery appends the query of [Policy.LogoutURL].
func (r *LogoutRequest) AppendQuery(dst []byte) []byte {
	if r.ClientID != "" {
		dst = appendParam(dst, "client_id", r.ClientID)
	}
	if r.ReturnTo != "" {
		name := "returnTo"
		if r.rpInitiated {
			name = "post_logout_redirect_uri"
		}
		dst = appendParam(dst, name, r.ReturnTo)
	}
	for _, param := range r.forwarded {
		dst = appendParam(dst, param.name, param.value)
	}
	if r.Federated {
		dst = append(appendSeparator(dst), "federated"...)
	}
	return dst
}
