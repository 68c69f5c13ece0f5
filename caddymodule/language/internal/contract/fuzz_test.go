package contract_test

import (
	stdjson "encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/contract"
)

// FuzzBodies holds what is read of a body to Go's own parser, and to UTF-8; a body that is not accepted gets an error in words
// that can be sent.
func FuzzBodies(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "null", `{"value":"a\u0000\ud83d\ude00"}`, `{"value":"\ud800"}`, `{"value":"a","value":"b"}`, `{"Value":"a","value":"b"}`,
		`{"languages":["go",null],"personas":[]}`, `{"languages":["C++","c\u0023"],"personas":["DATA_SCIENTIST"],"schema":{"migration":0,"semantic":"x"}}`,
		`{"vAlue":"","":""}`, `{"_LANGUAGE-S":["go"]}`, "{\"value\":\"\xff\"}", `{"languages":{}} x`, "a\xc3", "\u00e4\ufffd",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		members := func(err error) map[string]stdjson.RawMessage {
			if err != nil {
				require.True(t, utf8.ValidString(err.Error()), "%q", err)
				return nil
			}
			members := make(map[string]stdjson.RawMessage)
			if len(body) > 0 {
				require.NoError(t, stdjson.Unmarshal(body, &members), "accepted, and no JSON")
			}
			return members
		}
		message, err := contract.DecodeMessage(body)
		if read := members(err); len(read) > 0 {
			var want string
			require.NoError(t, stdjson.Unmarshal(member(read, "value"), &want))
			require.Equal(t, want, message)
		}
		request, err := contract.DecodeRequest(body)
		read := members(err)
		for name, got := range map[string][]string{"languages": request.Languages, "personas": request.Personas} {
			var want []string
			if raw := member(read, name); raw != nil {
				require.NoError(t, stdjson.Unmarshal(raw, &want))
			}
			require.ElementsMatch(t, want, got)
		}
		text, err := contract.DecodeText(body)
		require.Equal(t, utf8.Valid(body), err == nil)
		if err == nil {
			require.Equal(t, string(body), text)
		}
	})
}

// member is the one that is known by name: in any case, whatever hyphens and underscores it has.
func member(members map[string]stdjson.RawMessage, name string) stdjson.RawMessage {
	for written, value := range members {
		if strings.EqualFold(strings.NewReplacer("-", "", "_", "").Replace(written), name) {
			return value
		}
	}
	return nil
}
