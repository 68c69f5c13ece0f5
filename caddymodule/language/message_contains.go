package language

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/admission"
	"github.com/identity-gateway/caddy-identity-gateway/segment"
	"github.com/identity-gateway/caddy-identity-gateway/segment/prompt"
)

func init() {
	caddy.RegisterModule(MessageContains{})
}

// MessageContains matches requests whose messages contain code, or text: requests to language models (of OpenAI, Anthropic,
// Ollama and Gemini, and calls of tools in MCP), segmentation requests, and text/plain. It routes and counts what honest clients
// send. It reads the body, and the next handlers get it as it came. It sets the placeholders
//
//	{http.message.languages}  such as python,sql: those of the code, that with most lines first
//	{http.message.code_lines} how many lines of code there are
//	{http.message.code_share} their share of all lines, from 0.00 to 1.00
//	{http.message.outcome}    read, empty, or why not all is known: unread, encoded, too_large, busy, not_json, no_message
type MessageContains struct {
	// What the messages must contain: `code` or `text`.
	Contains string `json:"contains,omitempty"`

	// The languages of the code, one of which is enough, as on code fences. Default: any.
	Languages []string `json:"languages,omitempty"`

	// The messages, as JSON paths (RFC 9535) of names, indices and wildcards, such as `$.messages[-1]`. What else is in the body
	// is not looked at. Default: those of the APIs above.
	Fields []string `json:"fields,omitempty"`

	// The largest body that is read, in bytes. Default: 1 MiB.
	MaxSize int64 `json:"max_size,omitempty"`

	// What to do with a request of which not all is known, and the rest does not match: `match`, or `pass`, which does not match.
	// Default: `pass`.
	Unknown string `json:"unknown,omitempty"`

	kind      segment.Kind
	languages []segment.Language
	fields    prompt.Fields
	gate      *admission.Gate
	limits    *admission.Limits
	key       string // of what was read, among the variables of the request
}

// CaddyModule returns the Caddy module information.
func (MessageContains) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{ID: "http.matchers.message_contains", New: func() caddy.Module { return new(MessageContains) }}
}

// UnmarshalCaddyfile sets up the matcher from Caddyfile tokens: message_contains code|text [<languages...>] { … }, with the
// options of README.md.
func (m *MessageContains) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	for d.Next() {
		if m.Contains != "" {
			return d.Err("message_contains is given twice in a matcher; make two, and combine them with `not` or in two routes")
		}
		words, err := args.List(d)
		if err != nil {
			return err
		}
		if len(words) > 0 {
			m.Contains, m.Languages = words[0], words[1:]
		}
		if err := m.parse(); err != nil {
			return d.WrapErr(err)
		}
		if err := args.Block(d, "message_contains", args.Options{
			"field":    args.Strings(&m.Fields, func(path string) error { _, err := prompt.ParseFields(path); return err }),
			"max_size": args.Size(&m.MaxSize),
			"unknown":  args.OneOf(&m.Unknown, "match", "pass"),
		}); err != nil {
			return err
		}
	}
	return nil
}

// parse reads what must be contained.
func (m *MessageContains) parse() error {
	switch {
	case m.Contains == "code":
		m.kind = segment.Code
	case m.Contains != "text":
		return fmt.Errorf("message_contains must say code or text, not %q", m.Contains)
	case len(m.Languages) > 0:
		return errors.New("message_contains text takes no languages: those of code are told apart; say message_contains code")
	}
	m.languages = nil
	for _, name := range m.Languages {
		language := segment.LanguageOf(name)
		if language == segment.UnknownLanguage {
			return fmt.Errorf("message_contains: %q is not a known language; write it as on a code fence, such as go, python or c++", name)
		}
		m.languages = append(m.languages, language)
	}
	return nil
}

// Provision sets up the matcher and decodes the embedded models, so that the first request does not wait for them.
func (m *MessageContains) Provision(ctx caddy.Context) error {
	if err := m.provision(); err != nil {
		return fmt.Errorf("message_contains: %w", err)
	}
	keepConnections(ctx)
	segment.Default()
	return nil
}

func (m *MessageContains) provision() (err error) {
	if err := m.parse(); err != nil {
		return err
	}
	if m.fields, err = prompt.ParseFields(m.Fields...); err != nil {
		return err
	}
	if m.MaxSize, err = args.Limit("max_size", m.MaxSize, defaultMaxBody); err != nil {
		return err
	}
	if m.Unknown != "" && m.Unknown != "match" && m.Unknown != "pass" {
		return fmt.Errorf("unknown must be match or pass, not %q", m.Unknown)
	}
	m.key = fmt.Sprintf("message_contains %q %d", m.Fields, m.MaxSize)
	m.gate, m.limits, err = takeGate(m.MaxSize)
	return err
}

// Cleanup gives back what Provision acquired.
func (m *MessageContains) Cleanup() error { return giveBackGate(m.limits) }

// MatchWithError implements caddyhttp.RequestMatcherWithError. The error is that of a request whose body can't be read: nothing
// else could be done with it either.
func (m *MessageContains) MatchWithError(r *http.Request) (bool, error) {
	read, err := m.contentOf(r)
	switch {
	case err != nil:
		return false, err
	case read.content.Contains(m.kind, m.languages...):
		return true, nil
	}
	return m.Unknown == "match" && read.outcome != wasRead && read.outcome != empty, nil
}

// Interface guards
var (
	_ caddy.Provisioner                 = (*MessageContains)(nil)
	_ caddy.CleanerUpper                = (*MessageContains)(nil)
	_ caddyhttp.RequestMatcherWithError = (*MessageContains)(nil)
	_ caddyfile.Unmarshaler             = (*MessageContains)(nil)
)
