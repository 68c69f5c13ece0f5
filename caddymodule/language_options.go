package caddymodule

import (
	"fmt"
	"net/url"
	"strconv"

	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/dustin/go-humanize"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/operation"
)

// The defaults of [LanguageOptions].
const (
	defaultMaxBody       = 1 << 20
	defaultMaxConcurrent = 256
)

// LanguageOptions bound the work that a technical-language handler takes on, and
// say which scripts may ask for it.
type LanguageOptions struct {
	// The largest request body in bytes; a larger one is answered with status 413.
	// Default: 1 MiB.
	MaxBody int64 `json:"max_body,omitempty"`

	// How many requests are worked on at the same time; one more is answered with
	// status 503 and Retry-After. Default: 256.
	MaxConcurrent int `json:"max_concurrent,omitempty"`

	// The web origins whose scripts may call the endpoint, such as
	// `https://app.example.com`; `*` for all. Default: none.
	Origins []string `json:"origins,omitempty"`
}

// newOperation returns the operation at path with these options, and the
// defaults for what they leave open.
func (l LanguageOptions) newOperation(path string) (*operation.Operation, error) {
	options := operation.Options{MaxBody: l.MaxBody, MaxConcurrent: l.MaxConcurrent, Origins: l.Origins}
	if options.MaxBody <= 0 {
		options.MaxBody = defaultMaxBody
	}
	if options.MaxConcurrent <= 0 {
		options.MaxConcurrent = defaultMaxConcurrent
	}
	for _, origin := range l.Origins {
		u, err := url.Parse(origin)
		if origin != "*" && (err != nil || u.Scheme == "" || u.Host == "" || origin != u.Scheme+"://"+u.Host) {
			return nil, fmt.Errorf("origin must be scheme and host, such as https://app.example.com, without a path, or *; not %q", origin)
		}
	}
	return operation.New(path, options), nil
}

// unmarshalOption reads the subdirective that d stands on, if it is one of
// these:
//
//	max_body <size>
//	max_concurrent <requests>
//	origin         <origin>...
func (l *LanguageOptions) unmarshalOption(d *caddyfile.Dispenser) (known bool, err error) {
	name := d.Val()
	var value string
	switch name {
	case "max_body":
		if !d.AllArgs(&value) {
			return true, d.ArgErr()
		}
		size, err := humanize.ParseBytes(value)
		if err != nil || size == 0 || size > 1<<40 {
			return true, d.Errf("max_body must be a size such as 512KiB or 2MB, not %q", value)
		}
		l.MaxBody = int64(size)
	case "max_concurrent":
		if !d.AllArgs(&value) {
			return true, d.ArgErr()
		}
		requests, err := strconv.Atoi(value)
		if err != nil || requests < 1 {
			return true, d.Errf("max_concurrent must be a whole number of requests, at least 1, not %q", value)
		}
		l.MaxConcurrent = requests
	case "origin":
		origins := d.RemainingArgs()
		if len(origins) == 0 {
			return true, d.ArgErr()
		}
		l.Origins = append(l.Origins, origins...)
	default:
		return false, nil
	}
	return true, nil
}
