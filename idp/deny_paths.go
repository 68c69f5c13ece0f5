package idp

import (
	"fmt"
	"slices"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/params"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/paths"
)

// CheckDenyPath checks an entry of [Config.DenyPaths].
func CheckDenyPath(entry string) error {
	var denied paths.Protected
	if err := denied.Deny([]string{entry}, ""); err != nil {
		return err
	}
	for _, endpoint := range Endpoints {
		if denied.DeniedBy(endpoint.Path()) != "" {
			return fmt.Errorf("deny_path: %s would deny the %s endpoint, %s", entry, endpoint, endpoint.Path())
		}
	}
	return nil
}

// compileDenyPaths reads [Config.DenyPaths].
func (p *Policy) compileDenyPaths(c Config) error {
	for _, entry := range c.DenyPaths {
		if err := CheckDenyPath(entry); err != nil {
			return err
		}
	}
	return p.protected.Deny(c.DenyPaths, p.idp.AuthURL().Path)
}

// checkLogin checks a request of which [Policy.route] says that it is a [loginLookalike]. The
// IdP takes the parameters of the authorization endpoint there, so that a login could
// begin without having passed the gateway (RFC 9700 section 2.1.1). What has none of
// them goes on with a login. What has some must be what the gateway itself sends to the
// IdP: a request for the callback, which finds out whose login it is, or else one that
// /authorize accepts. s is needed for the callback.
func (p *Policy) checkLogin(rawQuery string, s sealer) error {
	q, err := params.Parse(rawQuery, "query")
	if err != nil {
		return beside(oauth.AsError(err).Description)
	}
	if !slices.ContainsFunc([]string{"response_type", "redirect_uri", "request", "request_uri"}, q.Flag) {
		return nil
	}
	if err := q.RejectRepeated(); err != nil {
		return beside(oauth.AsError(err).Description)
	}
	if p.callback != nil {
		if q.Get("redirect_uri") != s.Callback || q.Flag("request") || q.Flag("request_uri") {
			return beside("redirect_uri is not the gateway's callback")
		}
		return nil
	}
	for _, query := range p.asClientsSend(&q) {
		q, e := params.Parse(query, "query")
		if err = e; err == nil {
			_, err = p.newAuthorizeRequest(p.registry.Find(q.Get("client_id")), &q)
		}
		if err == nil {
			return nil
		}
	}
	return beside(oauth.AsError(err).Description)
}

// asClientsSend are the queries with which clients could have begun a login that the
// IdP got as q: it knows several of them by one id.
func (p *Policy) asClientsSend(q *params.Values) []string {
	ids := []string{q.Get("client_id")}
	for _, y := range p.registry.All() {
		if y.ClientID != "" && y.Client.Credentials != nil && y.IDAtIdP() == ids[0] && y.ClientID != ids[0] {
			ids = append(ids, y.ClientID)
		}
	}
	queries := make([]string, len(ids))
	for i, id := range ids {
		var query []byte
		for _, param := range q.List {
			if param.Name == "client_id" {
				param.Value = id
			}
			query = params.Append(query, param.Name, param.Value)
		}
		for _, name := range q.Flags {
			query = params.Append(query, name, "")
		}
		queries[i] = string(query)
	}
	return queries
}

// beside rejects a login that did not begin at /authorize.
func beside(why string) error {
	return oauth.Reject(oauth.InvalidRequest, "RFC 9700 section 2.1.1", "logins begin at "+Authorize.Path()+", and not at this path of the identity provider (deny_path): "+why)
}
