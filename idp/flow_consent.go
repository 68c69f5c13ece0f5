package idp

import "net/http"

// consent takes the user's answer and sends the browser to the IdP, or back to the
// client.
func (f *flow) consent() (Response, error) {
	form, err := f.readBody()
	if err != nil {
		return Response{}, err
	}
	if err := f.policy.reachable(Authorize); err != nil {
		return Response{}, err
	}
	var s sealer
	page, err := open(f, func(with sealer) (answeredPage, error) {
		s = with
		return f.policy.openConsent(s, f.r.URL.RawQuery, f.r.Header, form)
	})
	f.trace(page.loginID)
	if err != nil {
		return Response{}, err
	}
	if err := f.admit(page.query); err != nil {
		return Response{}, err
	}
	answer, err := f.policy.answer(s, page)
	if err != nil {
		return Response{}, err
	}
	f.identify(answer.Request.ClientID)
	if answer.Again != "" {
		return redirect(http.StatusSeeOther, answer.Again), nil
	}
	if !answer.Approved {
		response, e := answer.denied()
		f.result.Decision.Refuse(e)
		return response, nil
	}
	return f.toIdP(&answer.Request, s, http.StatusSeeOther)
}
