// snippet:check
//go:build ignore

// snippet:usage
package main

// snippet:end
// snippet:doc https://pkg.go.dev/log/slog log/slog
// snippet:needs Go 1.21
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
		r = r.Clone() // another handler may have the same record
		r.AddAttrs(slog.String("request_id", id))
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs wraps again: else logger.With would return the inner handler, without ids.
func (h contextHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return contextHandler{h.Handler.WithAttrs(attrs)}
}

// WithGroup wraps again, for the same reason.
func (h contextHandler) WithGroup(name string) slog.Handler {
	return contextHandler{h.Handler.WithGroup(name)}
}

var logger = slog.New(contextHandler{slog.NewJSONHandler(os.Stdout, nil)})

// snippet:usage
// snippet:prints level=INFO msg=login user=7 request_id=r-17
// snippet:prints level=INFO msg=paid service=shop cents=500 request_id=r-17
// snippet:prints level=INFO msg=sent mail.to=ada mail.request_id=r-17
func main() {
	h := slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}})
	ctx := context.WithValue(context.Background(), requestIDKey{}, "r-17")
	l := slog.New(contextHandler{h})
	l.InfoContext(ctx, "login", "user", 7)
	l.With("service", "shop").InfoContext(ctx, "paid", "cents", 500)
	l.WithGroup("mail").InfoContext(ctx, "sent", "to", "ada")
}
