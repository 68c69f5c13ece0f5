package decision

import (
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// PerSecond is how many refusals by one rule are logged within a second at the level
// INFO. The others are counted, and logged at DEBUG.
const PerSecond = 10

const (
	// maxRules bounds the memory for rules. Some name a parameter, or a user, and so there is
	// no end of them; those beyond share one limit for each endpoint and outcome, so that who
	// makes up parameters hides no line but of his kind.
	maxRules = 512
	// rememberRule is how long a rule is remembered that refuses nothing more.
	rememberRule = time.Minute
)

// Log logs refusals, and other lines that anybody can bring about. It is safe for concurrent
// use.
type Log struct {
	logger *zap.Logger
	now    func() time.Time

	mu    sync.Mutex
	rules map[rule]*second
	swept time.Time
}

// rule is what refused a request.
type rule struct{ endpoint, outcome, description string }

// second is what was logged of a rule within a second.
type second struct {
	start      time.Time
	logged     int
	suppressed int // since the last line
}

// NewLog returns a Log that writes to logger.
func NewLog(logger *zap.Logger) *Log {
	return &Log{logger: logger, now: time.Now, rules: make(map[rule]*second)}
}

// Line is what is logged of a refusal. It holds nothing that a client could choose
// freely.
type Line struct {
	// Reference is what the client was told, "" if it was not.
	Reference string
	// Endpoint and Outcome are as in metrics.
	Endpoint, Outcome string
	Status            int
	// Rule says what was wrong: one of a fixed set, or nearly so.
	Rule string
	// More is what only this endpoint has to say.
	More []zap.Field
}

// Refused logs the refusal of r, with the client's address.
func (l *Log) Refused(r *http.Request, line Line) {
	entry, suppressed := l.check(zapcore.InfoLevel, "request rejected", rule{line.Endpoint, line.Outcome, line.Rule})
	if entry == nil {
		return
	}
	fields := make([]zap.Field, 0, 10)
	if line.Reference != "" {
		fields = append(fields, zap.String("reference", line.Reference))
	}
	fields = append(fields,
		zap.String("endpoint", line.Endpoint),
		zap.String("outcome", line.Outcome),
		zap.Int("status", line.Status),
		zap.String("rule", line.Rule))
	fields = append(fields, line.More...)
	fields = append(fields, whose(r)...)
	entry.Write(append(fields, suppressed...)...)
}

// maxLike is the length of what makes lines alike, in bytes.
const maxLike = 256

// Limited logs another line, which is alike those with the same message that are like it: of
// one user, for example.
func (l *Log) Limited(level zapcore.Level, message, like string, fields ...zap.Field) {
	entry, suppressed := l.check(level, message, rule{endpoint: message, description: strings.Clone(like[:min(len(like), maxLike)])})
	if entry != nil {
		entry.Write(append(fields, suppressed...)...)
	}
}

// check is the line to write, nil if it is not written, and how many were not since the last one.
func (l *Log) check(level zapcore.Level, message string, by rule) (*zapcore.CheckedEntry, []zap.Field) {
	suppressed, ok := l.admit(by)
	if !ok {
		level = zapcore.DebugLevel
	}
	entry := l.logger.Check(level, message)
	if suppressed == 0 {
		return entry, nil
	}
	return entry, []zap.Field{zap.Int("suppressed", suppressed)}
}

// Issued logs at INFO what the client of r was given at the token endpoint.
func (l *Log) Issued(r *http.Request, d *Decision, issued *idp.Issued) {
	entry := l.logger.Check(zapcore.InfoLevel, "tokens issued")
	if entry == nil {
		return
	}
	fields := append(d.Trace(), zap.String("client_id", d.ClientID), zap.String("grant_type", issued.Grant))
	for _, field := range [...]struct{ name, value string }{
		{"client_name", issued.ClientName}, {"scope", issued.Scope}, {"resource", issued.Resource}, {"subject", issued.Subject.String()},
	} {
		if field.value != "" {
			fields = append(fields, zap.String(field.name, field.value))
		}
	}
	fields = append(fields, zap.Bool("with_id_token", issued.IDToken), zap.Bool("with_refresh_token", issued.RefreshToken))
	entry.Write(append(fields, whose(r)...)...)
}

// whose are the client's address and the trace of a request.
func whose(r *http.Request) (fields []zap.Field) {
	if ip, _ := caddyhttp.GetVar(r.Context(), caddyhttp.ClientIPVarKey).(string); ip != "" {
		fields = append(fields, zap.String("client_ip", ip))
	}
	if trace, _ := caddyhttp.GetVar(r.Context(), "trace_id").(string); trace != "" {
		fields = append(fields, zap.String("trace_id", trace))
	}
	return fields
}

// admit reports whether one more refusal is logged, and how many were not since the
// last one.
func (l *Log) admit(by rule) (suppressed int, ok bool) {
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.rules[by]
	if s == nil {
		l.forget(now)
	}
	if s == nil && len(l.rules) >= maxRules {
		by.description = ""
		s = l.rules[by]
	}
	if s == nil {
		s = new(second)
		l.rules[by] = s
	}
	if now.Sub(s.start) >= time.Second {
		s.start, s.logged = now, 0
	}
	if s.logged >= PerSecond {
		s.suppressed++
		return 0, false
	}
	s.logged++
	suppressed, s.suppressed = s.suppressed, 0
	return suppressed, true
}

// forget makes room for rules, at most once a second. What they have suppressed is counted
// with the others of the endpoint and outcome. The caller holds mu.
func (l *Log) forget(now time.Time) {
	if len(l.rules) < maxRules || now.Sub(l.swept) < time.Second {
		return
	}
	l.swept = now
	for by, s := range l.rules {
		if now.Sub(s.start) < rememberRule || by.description == "" {
			continue
		}
		delete(l.rules, by)
		if s.suppressed == 0 {
			continue
		}
		by.description = ""
		if l.rules[by] == nil {
			l.rules[by] = new(second)
		}
		l.rules[by].suppressed += s.suppressed
	}
}
