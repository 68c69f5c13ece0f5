package contract_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/contract"
	"github.com/identity-gateway/caddy-identity-gateway/persona"
)

func TestDecodeIsStrict(t *testing.T) {
	for name, tt := range map[string]struct{ body, wantErr string }{
		"wrong type":          {`{"value":1}`, `/value must be a string, not a number (at byte 9)`},
		"wrong nested type":   {`{"schema":{"migration":"x","semantic":"UNKNOWN"},"value":""}`, `/schema/migration must be a whole number, not a string`},
		"a fraction":          {`{"schema":{"migration":1.5,"semantic":"UNKNOWN"},"value":""}`, `/schema/migration must be a whole number, not one with a fraction or out of range`},
		"a boolean":           {`{"value":true}`, `/value must be a string, not a boolean`},
		"an object":           {`{"value":{}}`, `/value must be a string, not an object`},
		"no object":           {`{"schema":"1"}`, `/schema must be an object, not a string`},
		"not an object":       {`["value"]`, `the body must be a JSON object, not a list`},
		"null":                {`null`, `the body must be a JSON object, not null`},
		"duplicate name":      {`{"value":"a","value":"b"}`, `the member "value" is given twice`},
		"trailing garbage":    {`{"value":"a"} x`, `not valid JSON`},
		"two objects":         {`{"value":"a"}{"value":"b"}`, `not valid JSON`},
		"byte order mark":     {"\ufeff{\"value\":\"a\"}", `begins with a byte order mark; send UTF-8 without one`},
		"cut off":             {`{"value":"a`, `not valid JSON`},
		"invalid UTF-8":       {"{\"value\":\"\xff\"}", `invalid UTF-8`},
		"lone surrogate":      {`{"value":"\ud800"}`, `not valid JSON`},
		"comment":             {`{/**/"value":"a"}`, `not valid JSON`},
		"whitespace only":     {" \n", `not valid JSON`},
		"unescaped line feed": {"{\"value\":\"a\nb\"}", `not valid JSON`},
	} {
		_, err := contract.Decode[contract.UnsegmentedTechnicalLanguage]([]byte(tt.body))
		require.ErrorContains(t, err, tt.wantErr, name)
	}
}

// The bodies of the two operations, in words for who sent them.
func TestBodiesThatAreNone(t *testing.T) {
	for body, says := range map[string]string{
		`{"languages":"go"}`:                 "/languages must be a list, not a string",
		`{"languages":["go",null]}`:          "/languages/1 must be a string, not null",
		`{"personas":[null]}`:                "/personas/0 must be a string, not null",
		`{"personas":[1]}`:                   "/personas/0 must be a string, not a number",
		`{"personas":[],"Personas":["SRE"]}`: `the member "Personas" is given twice`,
		`[]`:                                 "the body must be a JSON object, not a list",
	} {
		_, err := contract.DecodeRequest([]byte(body))
		require.ErrorContains(t, err, says)
	}
	request, err := contract.DecodeRequest([]byte(`{"Languages":["go"],"PERSONAS":["SRE"]}`))
	require.NoError(t, err)
	require.Equal(t, persona.Request{Languages: []string{"go"}, Personas: []string{"SRE"}}, request)
	for body, says := range map[string]string{
		`{}`:              "the member value, the message as a string, is missing",
		`{"value":null}`:  "the member value, the message as a string, is missing",
		`{"value":false}`: "/value must be a string, not a boolean",
	} {
		_, err := contract.DecodeMessage([]byte(body))
		require.ErrorContains(t, err, says)
	}
	for body, at := range map[string]string{"\xff": "byte 0", "a\u00e4\xc3": "byte 3", "\xed\xa0\x80": "byte 0", "ok \xc0\xaf": "byte 3"} {
		_, err := contract.DecodeText([]byte(body))
		require.ErrorContains(t, err, "the body is not UTF-8 (at "+at+")")
	}
	text, err := contract.DecodeText([]byte("a\x00\ufffd\u00e4\r\n"))
	require.NoError(t, err)
	require.Equal(t, "a\x00\ufffd\u00e4\r\n", text, "U+FFFD itself is UTF-8")
}
