package oauth

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnErrorIsTheJSONOfRFC6749Section5_2(t *testing.T) {
	for name, tc := range map[string]struct {
		e    *Error
		want string
	}{
		"a rejection":                   {Reject(InvalidGrant, "RFC 6749 section 5.2", "no"), `{"error":"invalid_grant","error_description":"no"}`},
		"the IdP's own words":           {&Error{Code: AccessDenied, Description: "no", Detail: "blocked"}, `{"error":"access_denied","error_description":"blocked"}`},
		"a page to go to":               {&Error{Code: InteractionRequired, Description: "no", URI: "https://idp.example/a?b=c&d"}, `{"error":"interaction_required","error_description":"no","error_uri":"https://idp.example/a?b=c&d"}`},
		"characters that it can't have": {&Error{Code: AccessDenied, Detail: "a\"b\\c\nd\u00e4e\x7f!~ "}, `{"error":"access_denied","error_description":"a?b?c?d??e?!~ "}`},
	} {
		require.Equal(t, tc.want+"\n", string(tc.e.AppendJSON(nil)), name)
	}
	require.Equal(t, "before{", string(Reject(InvalidGrant, "", "no").AppendJSON([]byte("before")))[:7])
}

func TestTheHeaderOfAnError(t *testing.T) {
	header := make(http.Header)
	Reject(InvalidGrant, "RFC 6749 section 5.2", "no").SetHeader(header)
	require.Equal(t, http.Header{
		"Content-Type": {"application/json"}, "X-Content-Type-Options": {"nosniff"}, "Cache-Control": {"no-store"}, "Pragma": {"no-cache"},
	}, header)
	(&Error{Challenge: `Basic realm="token"`, Allow: "POST", RetryAfter: "5"}).SetHeader(header)
	require.Equal(t, `Basic realm="token"`, header.Get("WWW-Authenticate"))
	require.Equal(t, "POST", header.Get("Allow"))
	require.Equal(t, "5", header.Get("Retry-After"))
}

func TestCodesOfTheStandards(t *testing.T) {
	for _, code := range []Code{
		"invalid_request", "invalid_client", "invalid_grant", "invalid_scope", "invalid_token", "insufficient_scope", "unauthorized_client",
		"unsupported_grant_type", "unsupported_response_type", "request_not_supported", "request_uri_not_supported", "interaction_required",
		"login_required", "consent_required", "account_selection_required", "unmet_authentication_requirements", "unsupported_token_type", "invalid_target",
		"invalid_authorization_details", "access_denied", "server_error", "temporarily_unavailable",
	} {
		require.True(t, code.IsStandard(), code)
	}
	for _, code := range []Code{"", "AADSTS50011", "Invalid_Request", "invalid_request "} {
		require.False(t, code.IsStandard(), code)
	}
}

func TestTheErrorInAChain(t *testing.T) {
	refused := errors.New("refused")
	e := BadGateway("why")
	e.Cause = refused
	require.ErrorIs(t, fmt.Errorf("call: %w", e), refused)
	require.Equal(t, e, AsError(fmt.Errorf("call: %w", e)))
	require.Equal(t, http.StatusInternalServerError, AsError(refused).Status)
	require.NotContains(t, AsError(refused).Description, "refused")
	require.Equal(t, http.StatusServiceUnavailable, NoKeys().Status)
	require.Equal(t, "invalid_grant: no (RFC 6749 section 5.2)", Reject(InvalidGrant, "RFC 6749 section 5.2", "no").Error())
	require.Equal(t, "invalid_grant: no", Reject(InvalidGrant, "", "no").Error())
	header := make(http.Header)
	(&Error{Challenge: "Bearer", AlsoChallenge: "DPoP"}).SetHeader(header)
	require.Equal(t, []string{"Bearer", "DPoP"}, header.Values("WWW-Authenticate"))
}
