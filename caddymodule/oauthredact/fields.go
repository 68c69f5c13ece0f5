package oauthredact

import (
	"bytes"
	"encoding/json"

	"go.uber.org/zap/zapcore"

	"github.com/identity-gateway/caddy-identity-gateway/idp/redact"
)

// fields redacts the fields of an object on their way to the wrapped encoder. What
// is no text passes as it is.
type fields struct {
	zapcore.ObjectEncoder
	// secret: the object is the value of a field that is secret as a whole.
	secret bool
}

// isSecret reports the name of a field of which no text is shown.
func isSecret(key string) bool { return redact.IsHeader(key) || redact.IsParameter(key) }

// value is a text as it is shown. One of the field of a secret is not.
func value(text string, secret bool) string {
	if secret && text != "" {
		return redact.Replacement
	}
	return redact.Text(text)
}

func (f fields) AddString(key, text string) {
	f.ObjectEncoder.AddString(redact.Text(key), value(text, f.secret || isSecret(key)))
}

func (f fields) AddByteString(key string, text []byte) {
	f.ObjectEncoder.AddByteString(redact.Text(key), []byte(value(string(text), f.secret || isSecret(key))))
}

func (f fields) AddBinary(key string, data []byte) {
	f.ObjectEncoder.AddBinary(redact.Text(key), []byte(value(string(data), f.secret || isSecret(key))))
}

func (f fields) AddArray(key string, array zapcore.ArrayMarshaler) error {
	return f.ObjectEncoder.AddArray(redact.Text(key), arrayMarshaler{array, f.secret || isSecret(key)})
}

func (f fields) AddObject(key string, object zapcore.ObjectMarshaler) error {
	return f.ObjectEncoder.AddObject(redact.Text(key), objectMarshaler{object, f.secret || isSecret(key)})
}

func (f fields) AddReflected(key string, value any) error {
	redacted, err := reflected(value, f.secret || isSecret(key))
	if err != nil {
		return err
	}
	return f.ObjectEncoder.AddReflected(redact.Text(key), redacted)
}

func (f fields) OpenNamespace(key string) { f.ObjectEncoder.OpenNamespace(redact.Text(key)) }

// elements does the same for the elements of an array.
type elements struct {
	zapcore.ArrayEncoder
	secret bool
}

func (a elements) AppendString(text string) { a.ArrayEncoder.AppendString(value(text, a.secret)) }

func (a elements) AppendByteString(text []byte) {
	a.ArrayEncoder.AppendByteString([]byte(value(string(text), a.secret)))
}

func (a elements) AppendArray(array zapcore.ArrayMarshaler) error {
	return a.ArrayEncoder.AppendArray(arrayMarshaler{array, a.secret})
}

func (a elements) AppendObject(object zapcore.ObjectMarshaler) error {
	return a.ArrayEncoder.AppendObject(objectMarshaler{object, a.secret})
}

func (a elements) AppendReflected(value any) error {
	redacted, err := reflected(value, a.secret)
	if err != nil {
		return err
	}
	return a.ArrayEncoder.AppendReflected(redacted)
}

type objectMarshaler struct {
	zapcore.ObjectMarshaler
	secret bool
}

func (m objectMarshaler) MarshalLogObject(encoder zapcore.ObjectEncoder) error {
	return m.ObjectMarshaler.MarshalLogObject(fields{encoder, m.secret})
}

type arrayMarshaler struct {
	zapcore.ArrayMarshaler
	secret bool
}

func (m arrayMarshaler) MarshalLogArray(encoder zapcore.ArrayEncoder) error {
	return m.ArrayMarshaler.MarshalLogArray(elements{encoder, m.secret})
}

// reflected is a value of any Go type as encoders would show it: by its JSON, redacted.
// What has no JSON is not shown; zap writes the error beside it.
func reflected(of any, secret bool) (any, error) {
	switch of := of.(type) {
	case nil, bool, float32, float64, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64:
		return of, nil
	case []byte:
		return []byte(value(string(of), secret)), nil
	}
	encoded, err := json.Marshal(of)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(encoded))
	decoder.UseNumber()
	var decoded any
	err = decoder.Decode(&decoded)
	return redactJSON(decoded, secret), err
}

func redactJSON(of any, secret bool) any {
	switch of := of.(type) {
	case string:
		return value(of, secret)
	case []any:
		for i := range of {
			of[i] = redactJSON(of[i], secret)
		}
	case map[string]any:
		redacted := make(map[string]any, len(of))
		for key, member := range of {
			redacted[redact.Text(key)] = redactJSON(member, secret || isSecret(key))
		}
		return redacted
	}
	return of
}
