package readiness

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"github.com/caddyserver/caddy/v2"
)

func init() {
	caddy.RegisterModule(Admin{})
}

// Path is where the admin API says whether the handlers are ready.
const Path = "/identity_gateway/ready"

// Admin adds a route to Caddy's admin API:
//
//	GET /identity_gateway/ready
//
// It responds with 200 if the handlers of the running configuration can serve, and
// with 503 if not, and in both cases with each check and why it failed. Each gets a
// second. While a configuration is being loaded, the one before answers. A check that the
// query names, as in ?ignore=identity_provider, is shown and does not count.
type Admin struct{}

// CaddyModule returns the Caddy module information.
func (Admin) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{ID: "admin.api.identity_gateway", New: func() caddy.Module { return new(Admin) }}
}

// Routes implements [caddy.AdminRouter].
func (Admin) Routes() []caddy.AdminRoute {
	return []caddy.AdminRoute{{Pattern: Path, Handler: caddy.AdminHandlerFunc(serve)}}
}

// report is the body of a response.
type report struct {
	Ready bool `json:"ready"`
	// Reason says why there are no checks.
	Reason string   `json:"reason,omitempty"`
	Checks []Result `json:"checks"`
}

func serve(w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		return caddy.APIError{HTTPStatus: http.StatusMethodNotAllowed, Err: errors.New("use GET")}
	}
	report := inspect(r)
	status := http.StatusOK
	if !report.Ready {
		status = http.StatusServiceUnavailable
	}
	body, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, err = w.Write(append(body, '\n'))
	return err
}

// inspect runs the checks of the configuration in force.
func inspect(r *http.Request) report {
	app, err := caddy.ActiveContext().AppIfConfigured(appID)
	if err != nil {
		return report{Checks: []Result{}, Reason: "no configuration is running that has identity_gateway, require_token, text_segmentation or personification"}
	}
	report := report{Ready: true, Checks: app.(*App).Run(r.Context())}
	for _, result := range report.Checks {
		report.Ready = report.Ready && (result.Ready || slices.Contains(r.URL.Query()["ignore"], result.Check))
	}
	return report
}

// Interface guard
var _ caddy.AdminRouter = Admin{}
