package jwt

import (
	"testing"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"
)

func TestType(t *testing.T) {
	for typ, want := range map[any]string{nil: "", "JWT": "jwt", "application/AT+jwt": "at+jwt", 7: ""} {
		require.Equal(t, want, Type(jose.Header{ExtraHeaders: map[jose.HeaderKey]any{"typ": typ}}))
	}
}

func TestAnAudience(t *testing.T) {
	for text, want := range map[string]List{`"a"`: {"a"}, `["a","b"]`: {"a", "b"}, `[]`: {}, `null`: nil} {
		var l List
		require.NoError(t, json.Unmarshal([]byte(text), &l), text)
		require.Equal(t, want, l)
	}
	for _, text := range []string{`1`, `["a",1]`, `{"a":"b"}`} {
		var l List
		require.Error(t, json.Unmarshal([]byte(text), &l), text)
	}
}

func TestHowAUserHasLoggedIn(t *testing.T) {
	for text, want := range map[string]Authentication{
		`{"acr":"phr","amr":["pwd","otp"],"auth_time":1800000000}`: {"phr", []string{"pwd", "otp"}, 1_800_000_000},
		`{"acr":["phr"],"amr":"pwd","auth_time":"1800000000"}`:     {},
		`{"acr":null,"amr":null,"auth_time":null}`:                 {},
		`{"amr":["pwd",1]}`: {},
		`{}`:                {},
		`no JSON`:           {},
	} {
		require.Equal(t, want, ReadAuthentication([]byte(text)), text)
	}
}
