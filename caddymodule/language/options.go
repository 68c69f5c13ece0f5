package language

import (
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/cors"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/operation"
)

// The defaults of [Options].
const (
	defaultMaxBody       = 1 << 20
	defaultMaxConcurrent = 256
)

// Options bound the work that a technical-language handler takes on, and say
// which scripts may call it.
type Options struct {
	// The largest request body in bytes. A larger one is rejected with status
	// 413. Default: 1 MiB.
	MaxBody int64 `json:"max_body,omitempty"`

	// How many requests are worked on at the same time. One more is rejected with
	// status 503 and Retry-After. Default: 256.
	MaxConcurrent int `json:"max_concurrent,omitempty"`

	// The web origins whose scripts may call the endpoint, such as
	// `https://app.example.com`; `*` for all. Placeholders such as `{env.ORIGIN}`
	// are resolved when the configuration is loaded. Default: none.
	Origins []string `json:"origins,omitempty"`
}

// newOperation returns the operation at path with these options, and the
// defaults for what they leave out. Scripts may read the given header fields of
// its responses.
func (o Options) newOperation(path string, responseHeaders ...string) (*operation.Operation, error) {
	maxBody, err := args.Limit("max_body", o.MaxBody, defaultMaxBody)
	if err != nil {
		return nil, err
	}
	maxConcurrent, err := args.Limit("max_concurrent", o.MaxConcurrent, defaultMaxConcurrent)
	if err != nil {
		return nil, err
	}
	resolved, err := args.ResolveAll("origin", o.Origins)
	if err != nil {
		return nil, err
	}
	origins, err := cors.ParseOrigins(resolved)
	if err != nil {
		return nil, err
	}
	return operation.New(path, operation.Options{MaxBody: maxBody, MaxConcurrent: maxConcurrent, Origins: origins, ResponseHeaders: responseHeaders}), nil
}

// with returns the subdirectives of these options, and more.
func (o *Options) with(more args.Options) args.Options {
	more["max_body"] = args.Size(&o.MaxBody)
	more["max_concurrent"] = args.Count(&o.MaxConcurrent, "requests")
	more["origin"] = args.Strings(&o.Origins)
	return more
}
