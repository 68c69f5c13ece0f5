// snippet:check
//go:build ignore

package main

// snippet:end

// snippet:doc https://pkg.go.dev/log/slog log/slog
// snippet:prints level=INFO msg=login user=7 token=[redacted] request_id=r-17

import (
	"context"
	"log/slog"
	"os"
)

type requestIDKey struct{}

// contextHandler adds the request's id to every record logged with its context.
type contextHandler struct{ slog.Handler }

func (h contextHandler) Handle(ctx context.Context, r slog.Record) error {
	if id, ok := ctx.Value(requestIDKey{}).(string); ok {
		r.AddAttrs(slog.String("request_id", id))
	}
	return h.Handler.Handle(ctx, r)
}

// Token is a secret that every slog handler prints as a placeholder.
type Token string

func (Token) LogValue() slog.Value { return slog.StringValue("[redacted]") }

func NewLogger(level slog.Leveler) *slog.Logger {
	options := &slog.HandlerOptions{Level: level}
	return slog.New(contextHandler{slog.NewJSONHandler(os.Stdout, options)})
}

// snippet:check
func main() {
	_ = os.Stdout
	h := slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}})
	ctx := context.WithValue(context.Background(), requestIDKey{}, "r-17")
	slog.New(contextHandler{h}).InfoContext(ctx, "login", "user", 7, "token", Token("abc"))
	NewLogger(slog.LevelWarn).Info("not shown")
}
