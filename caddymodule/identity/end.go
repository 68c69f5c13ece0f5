package identity

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/caddyserver/caddy/v2"
	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	"github.com/spf13/cobra"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/terminal"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/readiness"
	"github.com/identity-gateway/caddy-identity-gateway/idp/gatewaytoken"
	"github.com/identity-gateway/caddy-identity-gateway/idp/rotation"
)

func init() {
	caddy.RegisterModule(Ending{})
}

// endPath is where the admin API ends logins.
const endPath = "/identity_gateway/end"

// Ending adds a route to Caddy's admin API:
//
//	POST /identity_gateway/end
//
// with a JSON object of kind (login, user or agent) and name. It ends the logins so far at all
// gateways of the running configuration, and at other nodes that share their replay store.
type Ending struct{}

// CaddyModule returns the Caddy module information.
func (Ending) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{ID: "admin.api.identity_gateway_end", New: func() caddy.Module { return new(Ending) }}
}

// Routes implements [caddy.AdminRouter].
func (Ending) Routes() []caddy.AdminRoute {
	return []caddy.AdminRoute{{Pattern: endPath, Handler: caddy.AdminHandlerFunc(serveEnd)}}
}

// ending is the body of a request.
type ending struct {
	Kind rotation.Kind `json:"kind"`
	Name string        `json:"name"`
}

func serveEnd(w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		return caddy.APIError{HTTPStatus: http.StatusMethodNotAllowed, Err: errors.New("use POST")}
	}
	var e ending
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 8<<10)).Decode(&e); err != nil {
		return caddy.APIError{HTTPStatus: http.StatusBadRequest, Err: errors.New(`send a JSON object such as {"kind":"user","name":"ada"}`)}
	}
	app, err := caddy.ActiveContext().AppIfConfigured("identity_gateway")
	if err != nil || len(app.(*App).gateways) == 0 {
		return caddy.APIError{HTTPStatus: http.StatusNotFound, Err: errors.New("no configuration with identity_gateway is running")}
	}
	var failures []error
	for _, g := range app.(*App).gateways {
		if err := g.gateway.End(r.Context(), e.Kind, e.Name); err != nil {
			failures = append(failures, fmt.Errorf("%s: %w", g.policy.AuthURL(), err))
		}
	}
	if len(failures) > 0 {
		return caddy.APIError{HTTPStatus: http.StatusBadRequest, Err: errors.Join(failures...)}
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// nameOf is what a name has to be.
var nameOf = map[rotation.Kind]string{
	rotation.OfLogin: "the login_id in the log",
	rotation.OfUser:  "the user's sub at the identity provider (the log has a hash of it; a login without an ID token may need login or agent)",
	rotation.OfAgent: "the client_id in the log",
}

// endCommand asks the running Caddy to end logins.
func endCommand() *cobra.Command {
	command := &cobra.Command{
		Use: "end login|user|agent NAME", Short: "Ends logins: one by its login_id, or all so far of a user (sub) or an agent (client_id)", Args: cobra.ExactArgs(2),
		Example:   "  caddy identity-gateway end login K3VJ5QWZ7M\n  caddy identity-gateway end user 248289761001\n  caddy identity-gateway end agent claude.ai",
		ValidArgs: []string{string(rotation.OfLogin), string(rotation.OfUser), string(rotation.OfAgent)},
		RunE: func(cmd *cobra.Command, arguments []string) error {
			admin, from, err := readiness.Endpoint(cmd)
			if err != nil {
				return err
			}
			body, _ := json.Marshal(ending{rotation.Kind(arguments[0]), arguments[1]}) // strings
			response, err := caddycmd.AdminAPIRequest(admin, http.MethodPost, endPath, http.Header{"Content-Type": {"application/json"}}, bytes.NewReader(body))
			if err != nil {
				return fmt.Errorf("asking at %s, the admin endpoint by %s: %w", admin, from, err)
			}
			_ = response.Body.Close()
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "ended: %s %s\nWhether there was one is not checked: the name has to be %s, character by character.\n",
				arguments[0], terminal.Visible(arguments[1]), nameOf[rotation.Kind(arguments[0])])
			return err
		},
	}
	readiness.AddFlags(command)
	return command
}

// Ended is whether the login of an access token was ended at the gateway with this public URL, if
// it is in the same configuration.
func (a *App) Ended(publicURL string) func(*gatewaytoken.Token) bool {
	find := sync.OnceValue(func() *Gateway { return a.gatewayAt(strings.TrimSuffix(publicURL, "/")) })
	return func(t *gatewaytoken.Token) bool {
		g := find()
		return g != nil && g.gateway.HasEnded(t)
	}
}

// Interface guard
var _ caddy.AdminRouter = Ending{}
