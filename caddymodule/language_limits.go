package caddymodule

import (
	"strconv"

	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/dustin/go-humanize"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/operation"
)

// The defaults of [LanguageLimits].
const (
	defaultMaxBody       = 1 << 20
	defaultMaxConcurrent = 256
)

// LanguageLimits bound the work that a technical-language handler takes on.
type LanguageLimits struct {
	// The largest request body in bytes; a larger one is answered with status 413.
	// Default: 1 MiB.
	MaxBody int64 `json:"max_body,omitempty"`

	// How many requests are worked on at the same time; one more is answered with
	// status 503 and Retry-After. Default: 256.
	MaxConcurrent int `json:"max_concurrent,omitempty"`
}

func (l LanguageLimits) withDefaults() operation.Limits {
	limits := operation.Limits{MaxBody: l.MaxBody, MaxConcurrent: l.MaxConcurrent}
	if limits.MaxBody <= 0 {
		limits.MaxBody = defaultMaxBody
	}
	if limits.MaxConcurrent <= 0 {
		limits.MaxConcurrent = defaultMaxConcurrent
	}
	return limits
}

// unmarshalOption reads the subdirective that d stands on, if it is one of
// these:
//
//	max_body <size>
//	max_concurrent <requests>
func (l *LanguageLimits) unmarshalOption(d *caddyfile.Dispenser) (known bool, err error) {
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
	default:
		return false, nil
	}
	return true, nil
}
