package oauthredact

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

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
	for name, field := range map[string]zap.Field{
		"an object":              zap.Object("code", value),
		"an object in an object": zap.Object("code", of(func(o zapcore.ObjectEncoder) error { return o.AddObject("inner", value) })),
		"a list in an object": zap.Object("code", of(func(o zapcore.ObjectEncoder) error {
			return o.AddArray("inner", list(func(a zapcore.ArrayEncoder) error {
				a.AppendString(secret)
				return nil
			}))
		})),
		"a list in a list": zap.Array("code", list(func(a zapcore.ArrayEncoder) error {
			return a.AppendArray(list(func(a zapcore.ArrayEncoder) error {
				a.AppendString(secret)
				return nil
			}))
		})),
		"an object in a list": zap.Array("code", list(func(a zapcore.ArrayEncoder) error { return a.AppendObject(value) })),
		"a member's name":     zap.Reflect("map", map[string]int{"/cb?code=" + secret: 1}),
		"a namespace":         zap.Namespace("/cb?code=" + secret),
		"an object's name":    zap.Object("/cb?code="+secret, value),
	} {
		t.Run(name, func(t *testing.T) {
			logger, out := logTo(newEncoder(t, "oauth_redact", "oauth_redact json"))
			if name == "an object's name" {
				field.Interface = of(func(zapcore.ObjectEncoder) error { return nil })
			}
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
