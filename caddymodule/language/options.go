package language

import (
	"net/http"
	"net/url"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/metrics"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/admission"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/operation"
	"github.com/identity-gateway/caddy-identity-gateway/idp/cors"
)

// defaultMaxBody is the default of max_body, in bytes.
const defaultMaxBody = 1 << 20

// Options bound the work that a technical-language handler takes on, and say who may call it.
type Options struct {
	// The largest request body in bytes. A larger one is rejected with status 413. Default: 1 MiB.
	MaxBody int64 `json:"max_body,omitempty"`

	// The web origins whose scripts may call the endpoint, such as `https://app.example.com`; `*` for all. Placeholders such as
	// `{env.ORIGIN}` are resolved when the configuration is loaded. Default: none.
	Origins []string `json:"origins,omitempty"`

	limits    *admission.Limits // of the handler's gate in gates, nil if it has none
	operation *operation.Operation
	handler   operation.Handler
}

// provision makes the operation at path, with the defaults for what these options leave out. fixed is what is not up to them. ctx
// is that of the module, whose Cleanup gives back what this acquires.
func (o *Options) provision(ctx caddy.Context, path string, fixed operation.Options, handler operation.Handler) error {
	var err error
	if fixed.MaxBody, err = args.Limit("max_body", o.MaxBody, defaultMaxBody); err != nil {
		return err
	}
	if fixed.Gate, o.limits, err = takeGate(fixed.MaxBody); err != nil {
		return err
	}
	resolved, err := args.ResolveAll("origin", o.Origins)
	if err != nil {
		return err
	}
	if fixed.Origins, err = cors.ParseOrigins(resolved); err != nil {
		return err
	}
	fixed.Metrics = newOperationMetrics()
	if err := metrics.Register(ctx.GetMetricsRegistry(), append(fixed.Metrics.Collectors(), metrics.BuildInfo())...); err != nil {
		return err
	}
	fixed.Logger = ctx.Logger()
	o.operation, o.handler = operation.New(path, fixed), handler
	return nil
}

// Serves reports whether the operation is at a path.
func (o *Options) Serves(_, path string) bool {
	return o.operation.Matches(&http.Request{URL: &url.URL{Path: path}})
}

// ServeHTTP serves a request of the operation. All others pass to the next handler.
func (o *Options) ServeHTTP(w http.ResponseWriter, r *http.Request, next caddyhttp.Handler) error {
	if !o.operation.Matches(r) {
		return next.ServeHTTP(w, r)
	}
	o.operation.Serve(w, r, o.handler)
	return nil
}

// gates are shared by all handlers of the process with the same limits, and stay across reloads: what bounds the process has to
// count all of it.
var gates = caddy.NewUsagePool()

// pooledGate is a gate in gates.
type pooledGate struct{ *admission.Gate }

// Destruct implements caddy.Destructor.
func (pooledGate) Destruct() error { return nil }

// takeGate takes the gate for bodies of up to maxBody bytes, and says which limits it has, to give it back.
func takeGate(maxBody int64) (*admission.Gate, *admission.Limits, error) {
	limits := admission.Limits{MaxBody: maxBody}.WithDefaults()
	pooled, _, err := gates.LoadOrNew(limits, func() (caddy.Destructor, error) {
		return pooledGate{admission.NewGate(limits)}, nil
	})
	if err != nil {
		return nil, nil, err
	}
	return pooled.(pooledGate).Gate, &limits, nil
}

// giveBackGate gives back the gate with these limits, if one was taken.
func giveBackGate(limits *admission.Limits) error {
	if limits == nil {
		return nil
	}
	_, err := gates.Delete(*limits)
	return err
}

// Cleanup gives back what Provision acquired.
func (o *Options) Cleanup() error { return giveBackGate(o.limits) }

// with returns the subdirectives of these options, and more.
func (o *Options) with(more args.Options) args.Options {
	more["max_body"] = args.Size(&o.MaxBody)
	more["origin"] = args.Strings(&o.Origins, cors.CheckOrigin)
	return more
}
