package decision

import (
	"net/http"
	"sync"
	"time"

	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// PerSecond is how many refusals by one rule are logged within a second at the level
// INFO. The others are counted, and logged at DEBUG.
const PerSecond = 10

// maxRules bounds the memory for rules. Some name a parameter, and so there is no end
// of them; those beyond share one limit.
const maxRules = 512

// Log logs refusals. It is safe for concurrent use.
type Log struct {
	logger *zap.Logger
	now    func() time.Time

	mu    sync.Mutex
	rules map[rule]*second
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

// Refused logs the refusal of r that d records. A line holds nothing that a client
// could choose freely, except for its address.
func (l *Log) Refused(r *http.Request, d *Decision) {
	level := zapcore.InfoLevel
	suppressed, ok := l.admit(rule{d.Endpoint, d.Outcome, d.Refusal.Description})
	if !ok {
		level = zapcore.DebugLevel
	}
	entry := l.logger.Check(level, "request rejected")
	if entry == nil {
		return
	}
	fields := append(make([]zap.Field, 0, 10),
		zap.String("reference", d.Reference()),
		zap.String("endpoint", d.Endpoint),
		zap.String("outcome", d.Outcome),
		zap.Int("status", d.Refusal.Status),
		zap.String("rule", d.Refusal.Description),
		zap.String("source", d.Refusal.Source),
		zap.String("client_id", d.ClientID))
	if ip, _ := caddyhttp.GetVar(r.Context(), caddyhttp.ClientIPVarKey).(string); ip != "" {
		fields = append(fields, zap.String("client_ip", ip))
	}
	if trace, _ := caddyhttp.GetVar(r.Context(), "trace_id").(string); trace != "" {
		fields = append(fields, zap.String("trace_id", trace))
	}
	if suppressed > 0 {
		fields = append(fields, zap.Int("suppressed", suppressed))
	}
	entry.Write(fields...)
}

// admit reports whether one more refusal is logged, and how many were not since the
// last one.
func (l *Log) admit(by rule) (suppressed int, ok bool) {
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.rules[by]
	if s == nil && len(l.rules) >= maxRules {
		by = rule{}
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
