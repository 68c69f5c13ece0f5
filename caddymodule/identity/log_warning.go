package identity

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	logfields "github.com/caddyserver/caddy/v2/modules/caddyhttp/logging"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// warnOfLogs names each site with a gateway and each log that gets what can buy a
// token from it. It tries them out, with the fields that Caddy would log: a format that
// takes these out is as good as oauth_redact.
func (a *App) warnOfLogs() {
	loaded, err := a.ctx.AppIfConfigured("http")
	app, ok := loaded.(*caddyhttp.App)
	logging := loggingOf(a.ctx)
	if err != nil || !ok || logging == nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(app.Servers)) {
		for _, site := range sitesOf(app.Servers[name]) {
			for _, logName := range slices.Sorted(maps.Keys(logging.Logs)) {
				log := logging.Logs[logName]
				if shown := site.shownIn(log); len(shown) > 0 {
					a.logger.Warn("codes or states of logins get into this log: whoever reads it can try to use them; give it `format oauth_redact`",
						zap.String("site", site.name()), zap.String("log", logName), zap.String("output", outputOf(log)), zap.Strings("fields", shown))
				}
			}
		}
	}
}

// loggedSite is a place in the routes of a server at which a gateway stands.
type loggedSite struct {
	server *caddyhttp.Server
	hosts  []string // none: any
	// loggers are the names that the directive log_name gives the access log.
	loggers []string
	// appended are the fields that the directive log_append adds.
	appended []*logfields.LogAppend
	// skipped: the directive log_skip keeps it out of the access log.
	skipped bool
}

func (s *loggedSite) name() string {
	if len(s.hosts) == 0 {
		return strings.Join(s.server.Listen, " ")
	}
	return strings.Join(s.hosts, " ")
}

// sitesOf finds the gateways among the routes of a server.
func sitesOf(server *caddyhttp.Server) []loggedSite {
	var found []loggedSite
	var walk func(handlers []caddyhttp.MiddlewareHandler, at *loggedSite)
	walkRoutes := func(routes caddyhttp.RouteList, at loggedSite) {
		for _, route := range routes {
			below := at
			if hosts := hostsOf(route.MatcherSets); len(hosts) > 0 {
				below.hosts = hosts
			}
			walk(route.Handlers, &below)
			at.appended = below.appended
			if len(route.MatcherSets) == 0 { // what has a matcher may not be for the gateway
				at.loggers, at.skipped = below.loggers, below.skipped
			}
		}
	}
	walk = func(handlers []caddyhttp.MiddlewareHandler, at *loggedSite) {
		for _, handler := range handlers {
			switch handler := handler.(type) {
			case *Gateway:
				found = append(found, *at)
			case *caddyhttp.Subroute:
				walkRoutes(handler.Routes, *at)
			case *caddyhttp.Invoke:
				if route := server.NamedRoutes[handler.Name]; route != nil {
					walkRoutes(caddyhttp.RouteList{*route}, *at)
				}
			case *logfields.LogAppend:
				at.appended = append(at.appended[:len(at.appended):len(at.appended)], handler)
			case *caddyhttp.VarsMiddleware:
				if names, ok := (*handler)[caddyhttp.AccessLoggerNameVarKey].([]any); ok {
					at.loggers = nil
					for _, name := range names {
						at.loggers = append(at.loggers, fmt.Sprint(name))
					}
				}
				if skipped, ok := (*handler)[caddyhttp.LogSkipVar].(bool); ok {
					at.skipped = skipped
				}
			}
		}
	}
	walkRoutes(server.Routes, loggedSite{server: server})
	return found
}

func hostsOf(sets caddyhttp.MatcherSets) []string {
	var hosts []string
	for _, set := range sets {
		for _, matcher := range set {
			if of, ok := matcher.(*caddyhttp.MatchHost); ok {
				hosts = append(hosts, *of...)
			}
		}
	}
	return hosts
}

// The loggers of Caddy that log URLs of the gateway: of each request, and at DEBUG of
// each one to the IdP.
const (
	accessLogger = "http.log.access"
	proxyLogger  = "http.handlers.reverse_proxy"
)

// shownIn is which fields of a log show what can buy a token.
func (s *loggedSite) shownIn(log *caddy.CustomLog) []string {
	level, err := zapcore.ParseLevel(cmp.Or(strings.ToLower(log.Level), "info"))
	if err != nil { // a placeholder
		level = zapcore.DebugLevel
	}
	encoder, _ := unexported(log, "encoder").(zapcore.Encoder)
	if _, discarded := unexported(log, "writerOpener").(*caddy.DiscardWriter); discarded || encoder == nil || level > zapcore.ErrorLevel {
		return nil
	}
	accepts := func(logger string) bool { return accepts(log, logger) }
	var shown []string
	if slices.ContainsFunc(s.accessLoggers(), accepts) {
		shown = s.show(encoder, accessLogger)
	}
	if level == zapcore.DebugLevel && accepts(proxyLogger) {
		shown = append(shown, s.show(encoder, proxyLogger)...)
	}
	slices.Sort(shown)
	return slices.Compact(shown)
}

// accessLoggers are the names of the loggers of the site's access log.
func (s *loggedSite) accessLoggers() []string {
	logs := s.server.Logs
	if logs == nil || s.skipped {
		return nil
	}
	hosts := s.hosts
	if len(hosts) == 0 {
		hosts = []string{""}
	}
	var loggers []string
	for _, host := range hosts {
		if bare, _, err := net.SplitHostPort(host); err == nil {
			host = bare
		}
		names, mapped := logs.LoggerNames[host], false
		for pattern, of := range logs.LoggerNames {
			if isBelow(host, pattern) {
				mapped = true
				if len(names) == 0 {
					names = of
				}
			}
		}
		switch {
		case !mapped && (logs.SkipUnmappedHosts || slices.ContainsFunc(logs.SkipHosts, func(pattern string) bool { return isBelow(host, pattern) })):
			continue
		case !mapped:
			names = []string{logs.DefaultLoggerName}
		}
		if s.loggers != nil {
			names = s.loggers
		}
		for _, name := range names {
			loggers = append(loggers, strings.TrimSuffix(accessLogger+"."+name, "."))
		}
	}
	return loggers
}

// isBelow reports whether a host is a pattern's, such as *.example.com.
func isBelow(host, pattern string) bool {
	host, pattern = strings.ToLower(host), strings.ToLower(pattern)
	if host == pattern {
		return true
	}
	_, domain, ok := strings.Cut(host, ".")
	return ok && "*."+domain == pattern
}

// accepts reports whether a log gets the lines of a logger, by its include and exclude:
// the longer one decides.
func accepts(log *caddy.CustomLog, logger string) bool {
	longest := func(names []string) int {
		length := 0
		for _, name := range names {
			if name == "*" || strings.HasPrefix(logger+".", name+".") {
				length = max(length, len(name))
			}
		}
		return length
	}
	included, excluded := longest(log.Include), longest(log.Exclude)
	if slices.Contains(log.Exclude, "*") || len(log.Include) > 0 && included == 0 {
		return false
	}
	return excluded == 0 || included > excluded
}

// show encodes a line as Caddy's logger would write it, with a mark of its own in each
// field, and returns the fields of which the mark can be read.
func (s *loggedSite) show(encoder zapcore.Encoder, logger string) []string {
	marks := make(map[string]string) // by field
	mark := func(field string) string {
		if marks[field] == "" {
			marks[field] = rand.Text()
		}
		return marks[field]
	}
	parameters := func(field string) string { return "client_id=app&code=" + mark(field) + "&state=" + mark(field) }
	credentials := s.server.Logs != nil && s.server.Logs.ShouldLogCredentials
	r := &http.Request{
		Method: http.MethodGet, Host: "login.example", Proto: "HTTP/1.1", RequestURI: idp.DefaultCallback + "?" + parameters("request>uri"),
		URL: &url.URL{Path: idp.DefaultCallback, RawQuery: parameters("request>uri")},
		Header: http.Header{
			"Referer":         {"https://app.example/cb?" + parameters("request>headers>Referer")},
			"X-Forwarded-Uri": {idp.DefaultCallback + "?" + parameters("request>headers>X-Forwarded-Uri")},
		},
	}
	headersField := "resp_headers"
	if logger != accessLogger {
		headersField = "headers"
	}
	response := http.Header{"Location": {"https://app.example/cb?" + parameters(headersField+">Location")}}
	if credentials {
		r.Header.Set("Cookie", "session="+mark("request>headers>Cookie"))
		r.Header.Set("Authorization", "Bearer "+mark("request>headers>Authorization"))
	}
	replacer := caddy.NewReplacer()
	r = caddyhttp.PrepareRequest(r, replacer, discardWriter{}, s.server)
	fields := []zapcore.Field{
		zap.Object("request", caddyhttp.LoggableHTTPRequest{Request: r, ShouldLogCredentials: credentials}),
	}
	fields = append(fields, zap.Object(headersField, caddyhttp.LoggableHTTPHeader{Header: response, ShouldLogCredentials: credentials}))
	if logger == accessLogger {
		for _, field := range s.appended {
			fields = append(fields, zap.String(field.Key, replacer.ReplaceKnown(field.Value, "")))
		}
	}
	line, err := encoder.Clone().EncodeEntry(zapcore.Entry{Level: zapcore.InfoLevel, LoggerName: logger, Message: "handled request"}, fields)
	if err != nil {
		return nil
	}
	defer line.Free()
	var shown []string
	for field, of := range marks {
		if strings.Contains(line.String(), of) {
			shown = append(shown, field)
		}
	}
	return shown
}

// outputOf is where a log is written to.
func outputOf(log *caddy.CustomLog) string {
	if output, ok := unexported(log, "writerOpener").(fmt.Stringer); ok {
		return output.String()
	}
	return ""
}

// loggingOf is how the configuration of ctx logs, or nil.
func loggingOf(ctx caddy.Context) *caddy.Logging {
	if config, ok := unexported(&ctx, "cfg").(*caddy.Config); ok && config != nil {
		return config.Logging
	}
	return nil
}

// unexported is a field of a struct of Caddy's, which shows it to no module, or nil if
// there is none of this name. The configuration of logs is nowhere else.
func unexported(of any, name string) any {
	field := reflect.ValueOf(of).Elem().FieldByName(name)
	if !field.IsValid() {
		return nil
	}
	return reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem().Interface() //nolint:gosec // it is only read
}

type discardWriter struct{}

func (discardWriter) Header() http.Header         { return make(http.Header) }
func (discardWriter) WriteHeader(int)             {}
func (discardWriter) Write(b []byte) (int, error) { return len(b), nil }
