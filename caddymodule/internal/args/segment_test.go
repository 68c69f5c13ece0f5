package args

import (
	"errors"
	"fmt"
	"testing"

	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/stretchr/testify/require"
)

func TestTheLineOfWhatAMessageIsAbout(t *testing.T) {
	t.Setenv("TEST_ARGS_CLIENT", "third")
	tokens, err := caddyfile.Tokenize([]byte(`gateway https://idp.example {
	public_url http://login.example
	callback
	client first {
		redirect_uri https://a.example/cb
		redirect_uri /cb
		scope        openid
	}
	client second {
		redirect_uri https://b.example/cb
		consent
		idp_client of_second {
			secret s
		}
	}
	client {env.TEST_ARGS_CLIENT} {
		origin *
	}
	replay redis {
		address x
	}
	dynamic {
		idp_client a
	}
	other {env.OTHER_CLIENT}
	client {env.SAME} {
		redirect_uri not-set
		at_idp {env.SAME} {
			secret s
		}
	}
}`), "Caddyfile")
	require.NoError(t, err)
	for message, line := range map[string]int{
		"what it stands in front of is wrong":                        1,
		"public_url must be https":                                   2,
		"client first: redirect_uri /cb is not absolute":             6,
		"client first: redirect_uri: no such placeholder":            5,
		"client first: audience is unknown":                          4,
		"client first: scope openid is not for this redirect":        7,
		"client second: redirect_uri is in use":                      10,
		"client second: idp_client: needs a key":                     12,
		"client second: idp_client: secret: not set":                 13,
		"client third: origin * is not accepted":                     17,
		"client env.TEST_ARGS_CLIENT: origin * is not":               17,
		"client first: /cb has a *":                                  6,
		"id: the variable is not set: {env.OTHER_CLIENT}":            25,
		"consent needs somewhere to come back to":                    11,
		"replay: module x: address is wrong":                         20,
		"client {env.SAME}: id: the variable is not set: {env.SAME}": 26,
		"client env.SAME: redirect_uri not-set is not absolute":      27,
		"client env.SAME: at_idp secret: not set":                    29,
		"idp_client of nobody":                                       12,
		"the callback_url, a public_url2":                            1,
	} {
		located := errors.New(message)
		Segment(tokens).Locate(&located)
		require.EqualError(t, located, fmt.Sprintf("%s, at Caddyfile:%d", message, line))
		again := located
		Segment(tokens).Locate(&again)
		require.Equal(t, located, again, "it has a line")
	}
	located := errors.New("of JSON")
	Segment(nil).Locate(&located)
	require.EqualError(t, located, "of JSON")
}
