package envfile

import (
	"encoding/json"
	"os"

	"github.com/caddyserver/caddy/v2"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// defaultLog is the name of Caddy's log of everything but requests.
const defaultLog = "default"

// logWarnings has Caddy log warnings and errors only, as text: what it tells whoever starts a
// server stands in the way of what a command prints.
func logWarnings() {
	encoder := zap.NewProductionEncoderConfig()
	encoder.TimeKey = ""
	encoder.EncodeLevel = zapcore.CapitalLevelEncoder
	caddy.BufferedLog() // Caddy's way to another default log
	caddy.UnbufferDefaultLogger(zap.New(zapcore.NewCore(zapcore.NewConsoleEncoder(encoder), zapcore.Lock(os.Stderr), zap.WarnLevel)))
}

// LogWarnings has a configuration that is provisioned by a command log as the command does. Its
// own default log is set up, as at a start, and gets no entry.
func LogWarnings(config *caddy.Config) {
	if config.Logging == nil {
		config.Logging = new(caddy.Logging)
	}
	logs := map[string]*caddy.CustomLog{defaultLog: {BaseLog: caddy.BaseLog{
		Level: "WARN", EncoderRaw: json.RawMessage(`{"format":"console","time_key":"","level_format":"upper"}`),
	}}}
	for name, log := range config.Logging.Logs {
		if name == defaultLog {
			name = "default, of the configuration"
			log.Include, log.Exclude = []string{"nothing"}, nil
		}
		logs[name] = log
	}
	config.Logging.Logs = logs
}
