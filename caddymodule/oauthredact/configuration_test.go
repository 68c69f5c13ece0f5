package oauthredact

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

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
