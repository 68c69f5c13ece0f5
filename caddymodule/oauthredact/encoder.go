// Package oauthredact is the log format oauth_redact. It takes what can buy a token or
// finish a login out of the lines of any logger, whatever format they have.
package oauthredact

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/modules/logging"
	"go.uber.org/zap/buffer"
	"go.uber.org/zap/zapcore"
	"golang.org/x/term"

	"github.com/identity-gateway/caddy-identity-gateway/idp/redact"
)

func init() {
	caddy.RegisterModule(Encoder{})
}

// Encoder is a log format that writes `REDACTED` in place of authorization codes,
// states, nonces, PKCE challenges and verifiers, tickets, tokens, assertions, client
// secrets, cookies and credentials. It finds them in every message and field: in URLs, also those
// in `Referer`, `Location`, errors and other URLs, in forms and JSON. The names of
// parameters stay, and so do the values of the others. Of the URLs of the gateway's own
// endpoints only the values stay that are known to be harmless, such as client_id.
//
// Who reads the log can't finish a login or use a token that was in it. It does not
// hide who the users are: addresses and paths stay.
type Encoder struct {
	// The format of the lines. Default: that of Caddy, `json`, or `console` if the
	// output is a terminal.
	WrappedRaw json.RawMessage `json:"wrap,omitempty" caddy:"namespace=caddy.logging.encoders inline_key=format"`

	fields    `json:"-"`
	wrapped   zapcore.Encoder
	isDefault bool
	ctx       caddy.Context
}

// CaddyModule returns the Caddy module information.
func (Encoder) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{
		ID:  "caddy.logging.encoders.oauth_redact",
		New: func() caddy.Module { return new(Encoder) },
	}
}

// Provision sets up the wrapped format.
func (e *Encoder) Provision(ctx caddy.Context) error {
	e.ctx = ctx
	if e.WrappedRaw == nil {
		e.isDefault = true
		return e.wrapDefault(new(logging.JSONEncoder))
	}
	module, err := ctx.LoadModule(e, "WrappedRaw")
	if err != nil {
		return fmt.Errorf("loading the wrapped format: %w", err)
	}
	e.wrap(module.(zapcore.Encoder))
	return nil
}

// ConfigureDefaultFormat chooses the format for a terminal, if none is configured.
func (e *Encoder) ConfigureDefaultFormat(output caddy.WriterOpener) error {
	if !e.isDefault {
		if wrapped, ok := e.wrapped.(caddy.ConfiguresFormatterDefault); ok {
			return wrapped.ConfigureDefaultFormat(output)
		}
		return nil
	}
	if caddy.IsWriterStandardStream(output) && term.IsTerminal(int(os.Stderr.Fd())) {
		return e.wrapDefault(new(logging.ConsoleEncoder))
	}
	return nil
}

// wrap makes encoder the one that writes the lines.
func (e *Encoder) wrap(encoder zapcore.Encoder) {
	e.wrapped, e.fields = encoder, fields{ObjectEncoder: encoder}
}

// wrapDefault is wrap for a format that was not loaded as a module.
func (e *Encoder) wrapDefault(encoder interface {
	zapcore.Encoder
	caddy.Provisioner
},
) error {
	e.wrap(encoder)
	return encoder.Provision(e.ctx)
}

// Clone implements zapcore.Encoder.
func (e *Encoder) Clone() zapcore.Encoder {
	wrapped := e.wrapped.Clone()
	return &Encoder{wrapped: wrapped, fields: fields{ObjectEncoder: wrapped}}
}

// EncodeEntry implements zapcore.Encoder.
func (e *Encoder) EncodeEntry(entry zapcore.Entry, added []zapcore.Field) (*buffer.Buffer, error) {
	entry.Message = redact.Text(entry.Message)
	entry.Stack = redact.Text(entry.Stack)
	clone := e.Clone().(*Encoder)
	for i := range added {
		added[i].AddTo(clone)
	}
	return clone.wrapped.EncodeEntry(entry, nil)
}

// Interface guards
var (
	_ caddy.Provisioner                = (*Encoder)(nil)
	_ caddy.ConfiguresFormatterDefault = (*Encoder)(nil)
	_ zapcore.Encoder                  = (*Encoder)(nil)
)

// UnmarshalCaddyfile sets up the format from Caddyfile tokens. Syntax:
//
//	format oauth_redact [<wrapped format> ...]
func (e *Encoder) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the format's name
	if d.NextArg() {
		return e.unmarshalWrapped(d)
	}
	if d.NextBlock(0) {
		return d.Errf("oauth_redact has no option %s; the wrapped format follows it: format oauth_redact json", d.Val())
	}
	return nil
}

// unmarshalWrapped reads a format, from its name to the end of its block.
func (e *Encoder) unmarshalWrapped(d *caddyfile.Dispenser) error {
	name := d.Val()
	module, err := caddyfile.UnmarshalModule(d, "caddy.logging.encoders."+name)
	if err != nil {
		return err
	}
	e.WrappedRaw = caddyconfig.JSONModuleObject(module, "format", name, nil)
	return nil
}

// Interface guard
var _ caddyfile.Unmarshaler = (*Encoder)(nil)
