package idp

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/login"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
)

// End ends logins so far: one by its id, or all of a user or an agent. It says so to all nodes
// that share the replay store.
func (g *Gateway) End(ctx context.Context, kind rotation.Kind, name string) error {
	if g.families == nil {
		return errors.New("the gateway does not know its logins: set rotate_refresh")
	}
	switch kind {
	case rotation.OfUser:
	case rotation.OfLogin:
		if name = login.ParseID(name).String(); name == "" {
			return errors.New("this is not the login_id of a login, ten letters and digits, as logs have it")
		}
	case rotation.OfAgent:
		name = agentName(name)
	default:
		return fmt.Errorf("%s is not what can be ended; use %s, %s or %s", kind, rotation.OfLogin, rotation.OfUser, rotation.OfAgent)
	}
	if name == "" {
		return fmt.Errorf("the %s is missing", kind)
	}
	return g.families.End(ctx, kind, name, g.parts.Now())
}

// HasEnded reports whether the login of an access token of its own was ended by [Gateway.End].
func (g *Gateway) HasEnded(t *gatewaytoken.Token) bool {
	return g.families != nil && g.families.Endings.Has(rotation.Whose{Login: t.LoginID, User: t.Subject, Agent: agentName(t.ClientID)}, t.Issued)
}

// agentName is a client id as logs have it: of a metadata document the host.
func agentName(id string) string {
	if u, err := url.Parse(id); err == nil && strings.HasPrefix(id, "https://") {
		return u.Host
	}
	return id
}

// whose is the login of a token request.
func (r *tokenRequest) whose() rotation.Whose {
	return rotation.Whose{Login: r.loginID.String(), User: r.subject, Agent: agentName(r.Agent())}
}
