package idp

import (
	"net/http"

	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
)

// callback takes the IdP's authorization response from the browser and sends the
// browser on to the client (RFC 6749 section 4.1.2).
func (f *flow) callback() (Response, error) {
	form := ""
	if f.r.Method == http.MethodPost {
		var err error
		if form, err = f.readBody(); err != nil {
			return Response{}, err
		}
	}
	request, err := parseCallback(f.r.Method, f.r.URL.RawQuery, f.r.Header, form)
	if err != nil {
		return Response{}, err
	}
	if err := f.policy.reachable(Callback); err != nil {
		return Response{}, err
	}
	response, err := open(f, func(s sealer) (callbackResponse, error) {
		request.Browser = f.policy.browser(s, f.r.Header)
		return f.policy.takeCallback(s, request)
	})
	f.trace(response.loginID)
	if err != nil {
		return Response{}, err
	}
	f.identify(response.ClientID)
	if response.Err != nil {
		f.result.Decision.Refuse(oauth.AsError(response.Err))
	}
	return response.Response, nil
}
