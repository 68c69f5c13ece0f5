package oauthredact

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	_ "github.com/caddyserver/caddy/v2/modules/standard"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// newEncoder loads a format as Caddy would.
func newEncoder(t testing.TB, name, source string) zapcore.Encoder {
	d := caddyfile.NewTestDispenser(source)
	d.Next()
	module, err := caddyfile.UnmarshalModule(d, "caddy.logging.encoders."+name)
	require.NoError(t, err)
	ctx, cancel := caddy.NewContext(caddy.Context{Context: t.Context()})
	t.Cleanup(cancel)
	loaded, err := ctx.LoadModuleByID("caddy.logging.encoders."+name, caddyconfig.JSON(module, nil))
	require.NoError(t, err)
	return loaded.(zapcore.Encoder)
}

// lines is what an encoder writes.
type lines struct{ strings.Builder }

func (l *lines) Sync() error { return nil }

// logTo is a logger like Caddy's at the level DEBUG.
func logTo(encoder zapcore.Encoder) (*zap.Logger, *lines) {
	out := new(lines)
	return zap.New(zapcore.NewCore(encoder, out, zapcore.DebugLevel)), out
}

// everyPlace writes a secret to every place of a log that Caddy, its handlers and
// its operators' log_append are known to use. The number of lines is the result.
func everyPlace(logger *zap.Logger, secret string) int {
	query := "page=2&client_id=app&code=" + secret + "&state=" + secret
	r := httptest.NewRequest("GET", "https://login.example/authorize?"+query, nil)
	r.Header = http.Header{
		"Referer": {"https://app.example/cb?" + query}, "X-Forwarded-Uri": {"/cb?" + query}, "X-Original-Url": {"/cb?" + query},
		"Authorization": {"Bearer " + secret}, "Cookie": {"session=" + secret, secret}, "Dpop": {secret}, "Proxy-Authorization": {"Basic " + secret},
	}
	response := http.Header{"Location": {"https://app.example/cb?" + query, "https://app.example/cb#access_token=" + secret}, "Set-Cookie": {"session=" + secret}}
	request := zap.Object("request", caddyhttp.LoggableHTTPRequest{Request: r, ShouldLogCredentials: true})
	headers := caddyhttp.LoggableHTTPHeader{Header: response, ShouldLogCredentials: true}
	form := url.Values{"grant_type": {"authorization_code"}, "code": {secret}, "code_verifier": {secret}}
	failed := &url.Error{Op: "Get", URL: "https://idp.example/authorize?" + query, Err: errors.New("dial tcp: connection refused")}

	rows := zapcore.ArrayMarshalerFunc(func(rows zapcore.ArrayEncoder) error {
		return errors.Join(
			rows.AppendArray(zapcore.ArrayMarshalerFunc(func(row zapcore.ArrayEncoder) error {
				row.AppendString("/cb?" + query)
				return nil
			})),
			rows.AppendObject(headers),
			rows.AppendReflected(map[string]string{"state": secret}),
		)
	})
	cookies := zapcore.ArrayMarshalerFunc(func(values zapcore.ArrayEncoder) error {
		values.AppendByteString([]byte(secret))
		return errors.Join(values.AppendReflected([]byte(secret)), values.AppendReflected([]string{secret}))
	})
	call := struct{ Path, Verifier string }{"/cb?" + query, "code_verifier=" + secret}
	lines := [][]zap.Field{
		{request, zap.Object("resp_headers", headers)},
		{zap.String("uri", r.RequestURI), zap.Stringer("url", r.URL)},
		{zap.Error(failed)},
		{zap.Error(fmt.Errorf("login: %w", failed)), zap.Errors("all", []error{failed})},
		{zap.String("body", form.Encode()), zap.ByteString("raw", []byte(form.Encode())), zap.Binary("binary", []byte(form.Encode()))},
		{zap.Any("form", form), zap.Any("list", []any{query, map[string]any{"id_token": secret}}), zap.Strings("urls", []string{"/cb?" + query})},
		{zap.Any("code", secret), zap.Any("Set-Cookie", []string{secret}), zap.Any("token", map[string]string{"value": secret})},
		{zap.Reflect("call", call), zap.Any("raw", json.RawMessage(`{"state":"`+secret+`"}`))},
		{zap.Dict("outer", zap.Dict("inner", zap.String("nonce", secret))), zap.Namespace("in"), zap.String("refresh_token", secret)},
		{zap.ByteStrings("raw", [][]byte{[]byte(form.Encode())}), zap.Array("rows", rows)},
		{zap.Array("Cookie", cookies)},
	}
	for _, fields := range lines {
		logger.Info("line", fields...)
	}
	logger.With(request).Debug("upstream roundtrip", zap.Object("headers", headers))
	logger.WithLazy(request).Error(failed.Error(), zap.Error(failed))
	logger.Info(fmt.Sprintf("values %v and GET /cb?%s", form, query))
	logger.Sugar().Infow("sugar", "client_secret", secret, "u", r.URL, "/cb?code="+secret, "x")
	return len(lines) + 4
}

// It is said of no secret that it is redacted that the same log does not show without.
func TestEverySecretIsSeenWithoutAndNotWith(t *testing.T) {
	const secret = "s3cr3t-0123456789"
	for _, format := range []string{
		"json", "console", "filter {\nwrap json\nrequest>method delete\n}", "append {\nwrap json\nfields {\nnode n1\n}\n}",
	} {
		name, _, _ := strings.Cut(format, " ")
		t.Run(name, func(t *testing.T) {
			logger, without := logTo(newEncoder(t, name, format))
			count := everyPlace(logger, secret)
			bare := strings.Split(strings.TrimSpace(without.String()), "\n")
			require.Len(t, bare, count)
			for _, line := range bare {
				require.Contains(t, line, secret, "the test shows nothing where nothing is to be seen")
			}

			logger, with := logTo(newEncoder(t, "oauth_redact", "oauth_redact "+format))
			everyPlace(logger, secret)
			redacted := strings.Split(strings.TrimSpace(with.String()), "\n")
			require.Len(t, redacted, count)
			for i, line := range redacted {
				require.NotContains(t, line, secret, "of %s", bare[i])
				require.Contains(t, line, "REDACTED", "of %s", bare[i])
			}
			// What operators need.
			require.Contains(t, redacted[0], "/authorize?page=REDACTED&client_id=app&code=REDACTED&state=REDACTED", "the gateway's own")
			require.Contains(t, redacted[0], "https://app.example/cb?page=2&client_id=app&code=REDACTED&state=REDACTED", "another app's")
			require.Contains(t, redacted[2], "dial tcp: connection refused")
			if name != "console" {
				for _, line := range redacted {
					require.True(t, json.Valid([]byte(line)), line)
				}
			}
			if name == "append" {
				require.Contains(t, redacted[0], `"node":"n1"`)
			}
			if name == "filter" {
				require.NotContains(t, redacted[0], `"method"`)
			}
		})
	}
}

func TestAFilterMayWrapIt(t *testing.T) {
	const secret = "s3cr3t-0123456789"
	logger, out := logTo(newEncoder(t, "filter", "filter {\nwrap oauth_redact json\nrequest>method delete\n}"))
	everyPlace(logger, secret)
	require.NotContains(t, out.String(), secret)
}

func TestLinesWithoutSecretsStayAsTheyAre(t *testing.T) {
	write := func(encoder zapcore.Encoder) string {
		logger, out := logTo(encoder)
		r := httptest.NewRequest("GET", "https://app.example/shop?page=2&q=code", nil)
		r.Header.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)")
		entry := zapcore.Entry{Level: zapcore.InfoLevel, Message: "handled request", LoggerName: "http.log.access"}
		require.NoError(t, logger.Core().Write(entry, []zapcore.Field{
			zap.Object("request", caddyhttp.LoggableHTTPRequest{Request: r}), zap.Int("status", 200), zap.Duration("duration", time.Second),
			zap.Any("sizes", []int{1, 2}), zap.Bool("ok", true), zap.Any("big", uint64(1)<<63), zap.Any("nothing", nil),
			zap.Any("map", map[string]any{"a": 1, "b": []string{"c"}}), zap.Float64("f", 1.5), zap.Time("at", time.Unix(0, 0)),
		}))
		return out.String()
	}
	require.Equal(t, write(newEncoder(t, "json", "json")), write(newEncoder(t, "oauth_redact", "oauth_redact")))
}

func TestTheCaddyfile(t *testing.T) {
	for source, want := range map[string]string{
		"format oauth_redact":                                   `{"format":"oauth_redact"}`,
		"format oauth_redact json":                              `{"format":"oauth_redact","wrap":{"format":"json"}}`,
		"format oauth_redact console {\ntime_format iso8601\n}": `{"format":"oauth_redact","wrap":{"format":"console","time_format":"iso8601"}}`,
		"format oauth_redact filter {\nwrap json\nts delete\n}": `{"format":"oauth_redact","wrap":{"fields":{"ts":{"filter":"delete"}},"format":"filter","wrap":{"format":"json"}}}`,
	} {
		adapted, _, err := caddyconfig.GetAdapter("caddyfile").Adapt([]byte("{\nlog {\n"+source+"\n}\n}\n"), nil)
		require.NoError(t, err, source)
		var config struct {
			Logging struct {
				Logs map[string]struct{ Encoder json.RawMessage }
			}
		}
		require.NoError(t, json.Unmarshal(adapted, &config))
		require.JSONEq(t, want, string(config.Logging.Logs["default"].Encoder), source)
	}
	for source, want := range map[string]string{
		"format oauth_redact nothing":        "nothing",
		"format oauth_redact {\nfields x\n}": "oauth_redact has no option fields",
	} {
		_, _, err := caddyconfig.GetAdapter("caddyfile").Adapt([]byte("{\nlog {\n"+source+"\n}\n}\n"), nil)
		require.ErrorContains(t, err, want, source)
	}
}

// FuzzEncoder logs a URL of an attacker's beside a secret: nothing that he writes keeps
// the secret in the line, or breaks the line.
func FuzzEncoder(f *testing.F) {
	f.Add("/authorize?client_id=app", "app.example", "request rejected")
	f.Add("/cb?page=2&x=%", `"},"code":"`, "a \"quoted\" message")
	f.Add("//AUTHORIZE/%2e%2e?%63ode", "[::1]:8443", "state: ")
	encoder := newEncoder(f, "oauth_redact", "oauth_redact json")
	f.Fuzz(func(t *testing.T, target, host, message string) {
		const secret = "s3cr3t-0123456789"
		if strings.Contains(target+host+message, secret) || strings.ContainsAny(target, " \t\r\n\"'\\<{[") {
			return
		}
		logger, out := logTo(encoder)
		separator := "?"
		if strings.ContainsAny(target, "?#") {
			separator = "&"
		}
		r := &http.Request{Method: "GET", Host: host, RequestURI: target + separator + "code=" + secret, Header: http.Header{"Referer": {target + separator + "state=" + secret}}}
		logger.Info(message, zap.Object("request", caddyhttp.LoggableHTTPRequest{Request: r.WithContext(t.Context())}), zap.Error(&url.Error{Op: "Get", URL: r.RequestURI, Err: errors.New(message)}))
		if strings.Contains(out.String(), secret) {
			t.Errorf("%s", out.String())
		}
		require.True(t, json.Valid([]byte(out.String())), out.String())
	})
}

func TestAFormatThatCannotBeLoadedIsNamed(t *testing.T) {
	for config, want := range map[string]string{
		`{"wrap":{"format":"nothing"}}`:                         "loading the wrapped format: loading module 'nothing': unknown module: caddy.logging.encoders.nothing",
		`{"wrap":{}}`:                                           "loading the wrapped format: ",
		`{"wrap":{"format":"json","time_format":1}}`:            "loading the wrapped format: ",
		`{"wrap":{"format":"filter","wrap":{"format":"none"}}}`: "unknown module: caddy.logging.encoders.none",
	} {
		t.Run(config, func(t *testing.T) {
			ctx, cancel := caddy.NewContext(caddy.Context{Context: t.Context()})
			defer cancel()
			_, err := ctx.LoadModuleByID("caddy.logging.encoders.oauth_redact", json.RawMessage(config))
			require.ErrorContains(t, err, want)
		})
	}
}

// As Caddy's own default: a person at a terminal reads columns, and everything else JSON.
func TestTheDefaultFormatIsThatOfTheOutput(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no terminals here:", err)
	}
	defer terminal.Close()
	file, err := os.CreateTemp(t.TempDir(), "")
	require.NoError(t, err)
	defer file.Close()
	previous := os.Stderr
	defer func() { os.Stderr = previous }()

	for name, test := range map[string]struct {
		format string
		output caddy.WriterOpener
		stderr *os.File
		isJSON bool
	}{
		"a terminal":                          {"oauth_redact", caddy.StderrWriter{}, terminal, false},
		"a file, beside a terminal":           {"oauth_redact", caddy.DiscardWriter{}, terminal, true},
		"standard error, which is a file":     {"oauth_redact", caddy.StderrWriter{}, file, true},
		"a terminal, and a format":            {"oauth_redact json", caddy.StderrWriter{}, terminal, true},
		"a terminal, and one without its own": {"oauth_redact filter {\nrequest>uri delete\n}", caddy.StderrWriter{}, terminal, false},
		"a file, and one without its own":     {"oauth_redact filter {\nrequest>uri delete\n}", caddy.DiscardWriter{}, terminal, true},
	} {
		t.Run(name, func(t *testing.T) {
			encoder := newEncoder(t, "oauth_redact", test.format)
			os.Stderr = test.stderr
			require.NoError(t, encoder.(caddy.ConfiguresFormatterDefault).ConfigureDefaultFormat(test.output))
			logger, out := logTo(encoder)
			logger.Info("login", zap.String("uri", "/authorize?code=s3cr3t"))
			require.Equal(t, test.isJSON, json.Valid([]byte(out.String())), out.String())
			require.Contains(t, out.String(), "login")
			require.NotContains(t, out.String(), "s3cr3t")
			if !strings.Contains(test.format, "filter") {
				require.Contains(t, out.String(), "/authorize?code=REDACTED")
			}
		})
	}
}

// What can't be read can't be redacted, and formats other than JSON would show it.
func TestWhatHasNoJSONIsNotShown(t *testing.T) {
	unreadable := map[string]any{"uri": "/authorize?code=s3cr3t", "then": func() {}}
	logger, out := logTo(newEncoder(t, "oauth_redact", "oauth_redact json"))
	logger.Info("call", zap.Reflect("call", unreadable), zap.Array("calls", zapcore.ArrayMarshalerFunc(func(calls zapcore.ArrayEncoder) error {
		return calls.AppendReflected(unreadable)
	})))
	require.NotContains(t, out.String(), "s3cr3t")
	require.Contains(t, out.String(), `"callError":"json: unsupported type: func()"`)
	require.Contains(t, out.String(), `"callsError":"json: unsupported type: func()"`)

	shown := zapcore.NewMapObjectEncoder()
	require.Error(t, fields{ObjectEncoder: shown}.AddReflected("call", unreadable))
	require.Empty(t, shown.Fields)
}

// What stands below the name of a secret is secret, however deep; names are text, too.
func TestSecretsBelowAName(t *testing.T) {
	const secret = "s3cr3t"
	of := func(add func(zapcore.ObjectEncoder) error) zapcore.ObjectMarshaler {
		return zapcore.ObjectMarshalerFunc(add)
	}
	list := func(add func(zapcore.ArrayEncoder) error) zapcore.ArrayMarshaler {
		return zapcore.ArrayMarshalerFunc(add)
	}
	value := of(func(o zapcore.ObjectEncoder) error {
		o.AddString("value", secret)
		return nil
	})
	values := list(func(a zapcore.ArrayEncoder) error {
		a.AppendString(secret)
		return nil
	})
	for name, field := range map[string]zap.Field{
		"an object":              zap.Object("code", value),
		"an object in an object": zap.Object("code", of(func(o zapcore.ObjectEncoder) error { return o.AddObject("inner", value) })),
		"a list in an object":    zap.Object("code", of(func(o zapcore.ObjectEncoder) error { return o.AddArray("inner", values) })),
		"a list in a list":       zap.Array("code", list(func(a zapcore.ArrayEncoder) error { return a.AppendArray(values) })),
		"an object in a list":    zap.Array("code", list(func(a zapcore.ArrayEncoder) error { return a.AppendObject(value) })),
		"a member's name":        zap.Reflect("map", map[string]int{"/cb?code=" + secret: 1}),
		"a namespace":            zap.Namespace("/cb?code=" + secret),
		"an object's name":       zap.Object("/cb?code="+secret, of(func(zapcore.ObjectEncoder) error { return nil })),
	} {
		t.Run(name, func(t *testing.T) {
			logger, out := logTo(newEncoder(t, "oauth_redact", "oauth_redact json"))
			logger.Info("login", field, zap.Bool("done", true))
			require.NotContains(t, out.String(), secret)
			require.Contains(t, out.String(), "REDACTED")
		})
	}
}

func TestStacksAreRedacted(t *testing.T) {
	encoder := newEncoder(t, "oauth_redact", "oauth_redact console")
	line, err := encoder.EncodeEntry(zapcore.Entry{Message: "panic", Stack: "goroutine 1: GET /cb?code=s3cr3t\nmain.main()"}, []zapcore.Field{zap.Error(errors.New("GET /cb?state=s3cr3t"))})
	require.NoError(t, err)
	require.NotContains(t, line.String(), "s3cr3t")
	require.Contains(t, line.String(), "main.main()")
}

func TestALineHasNoFieldsOfTheOneBefore(t *testing.T) {
	logger, out := logTo(newEncoder(t, "oauth_redact", "oauth_redact json"))
	logger.Info("one", zap.String("first", "1"))
	out.Reset()
	logger.Info("two", zap.String("second", "2"))
	require.NotContains(t, out.String(), "first")
	require.Contains(t, out.String(), `"second":"2"`)
}
