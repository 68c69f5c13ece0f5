package idp

import (
	"net/http"

	"github.com/identity-gateway/caddy-identity-gateway/idp/pages"
)

// logout checks a logout request and sends the browser to the IdP, or to the page
// after it.
func (f *flow) logout() (Response, error) {
	request, err := f.policy.parseLogout(f.r.URL.RawQuery)
	f.result.Decision.ClientID = request.Registered
	if err != nil {
		return Response{}, err
	}
	if err := f.policy.reachable(Logout); err != nil {
		return Response{}, err
	}
	if f.policy.logoutProtocol != NoLogout && f.policy.proxiesTo(Logout) {
		f.forward(Logout, f.policy.logoutQuery(&request))
		return Response{}, nil
	}
	if location := f.policy.logoutURL(&request); location != "" {
		return redirect(http.StatusFound, location), nil
	}
	return Response(pages.LoggedOut()), nil
}
