package idp

import (
	"net/http"
	"net/url"
	"strings"
)

// MaxWalk is the number of redirects that are followed to a [Result].
const MaxWalk = 5

// ResultType is the media type in which an API client gets the result of a
// login, "" for a browser, which is redirected instead.
type ResultType string

// The media types of ResultedPKCE.
const (
	FormResult ResultType = "application/x-www-form-urlencoded"
	JSONResult ResultType = "application/json"
)

// NegotiateResult reads Accept (RFC 9110 section 12.5.1). A client that names
// JSON or a form, and neither HTML nor everything, wants to be given the code
// instead of being sent to the IdP.
func NegotiateResult(accept []string) ResultType {
	result := ResultType("")
	for _, line := range accept {
		for item := range strings.SplitSeq(line, ",") {
			mediaType, parameters, _ := strings.Cut(item, ";")
			if strings.Contains(strings.ReplaceAll(parameters, " ", ""), "q=0") && isZeroQuality(parameters) {
				continue
			}
			switch strings.ToLower(strings.TrimSpace(mediaType)) {
			case "text/html", "*/*", "text/*", "application/xhtml+xml":
				return ""
			case string(FormResult):
				if result == "" {
					result = FormResult
				}
			case string(JSONResult):
				if result == "" {
					result = JSONResult
				}
			}
		}
	}
	return result
}

// isZeroQuality reports q=0, q=0.0 and so on: not acceptable.
func isZeroQuality(parameters string) bool {
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(parameter), "=")
		if strings.EqualFold(name, "q") {
			return strings.Trim(value, "0.") == ""
		}
	}
	return false
}

// Result is the contract's ResultedPKCE: what the IdP sent to the redirect URI.
type Result struct{ Code, State string }

// Walk follows an authorization request at the IdP in the place of a browser.
// The caller makes the requests: first GET [Walk.URL], then, as long as
// [Walk.Next] says so, again.
type Walk struct {
	request *AuthorizeRequest
	policy  *Policy
	current *url.URL
	steps   int
}

// NewWalk begins a walk. The result comes back to the gateway, so the IdP is
// asked for it in the query whatever response_mode the client named.
func (p *Policy) NewWalk(r *AuthorizeRequest) (*Walk, *Error) {
	first, err := url.Parse(string(r.appendQueryExcept(append(p.AppendURL(nil, Authorize), '?'), QueryMode, true)))
	if err != nil {
		return nil, BadGateway("the identity provider's address is not a URL")
	}
	return &Walk{request: r, policy: p, current: first}, nil
}

// URL is the page to get next. It is on the origin of the IdP.
func (w *Walk) URL() *url.URL { return w.current }

// Next judges the answer to the request for [Walk.URL]: its status and its
// Location. It returns the result if there is one, an error if there will be
// none, and neither if the walk goes on.
func (w *Walk) Next(status int, header http.Header) (*Result, *Error) {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return nil, checkAnswer(Answer{Status: status, Header: header})
	case http.StatusOK:
		return nil, w.interaction()
	default:
		if status >= 400 && status < 500 {
			return nil, refuse(InvalidRequest, "RFC 6749 section 4.1.2.1",
				"the identity provider refused the request without a redirect; open it in a browser to see why").withURI(w.page())
		}
		return nil, checkAnswer(Answer{Status: status, Header: header})
	}
	location := header["Location"]
	if len(location) != 1 {
		return nil, BadGateway("the identity provider redirects without one Location")
	}
	target, err := w.current.Parse(location[0])
	if err != nil {
		return nil, BadGateway("the identity provider redirects to something that is not a URL")
	}
	if w.isRedirectURI(target) {
		return w.read(target)
	}
	if target.Scheme != w.policy.authURL.Scheme || target.Host != w.policy.authURL.Host || target.User != nil {
		return nil, w.interaction()
	}
	if w.steps++; w.steps > MaxWalk {
		return nil, w.interaction()
	}
	target.Fragment, target.RawFragment = "", ""
	w.current = target
	return nil, nil
}

// isRedirectURI reports that target is the client's redirect URI with the
// IdP's answer added. Without one in the request it is the one that the IdP
// knows: a place off the IdP's origin that gets a code or an error.
func (w *Walk) isRedirectURI(target *url.URL) bool {
	if w.request.RedirectURI == "" {
		q := target.Query()
		return (q.Has("code") || q.Has("error")) && target.Host != w.policy.authURL.Host
	}
	want, err := url.Parse(w.request.RedirectURI)
	return err == nil && target.Scheme == want.Scheme && target.Host == want.Host && target.User == nil &&
		target.EscapedPath() == want.EscapedPath() && target.Opaque == want.Opaque &&
		strings.HasPrefix(target.RawQuery, want.RawQuery)
}

// read takes the result out of the redirect to the client.
func (w *Walk) read(target *url.URL) (*Result, *Error) {
	raw := target.RawQuery
	if q := target.Query(); !q.Has("code") && !q.Has("error") {
		raw = target.EscapedFragment()
	}
	q, fault := parseParams(raw, "query")
	if fault != nil || q.repeated != "" {
		return nil, BadGateway("the identity provider's redirect has a malformed query")
	}
	if q.get("state") != w.request.State {
		return nil, BadGateway("the identity provider's state is not the one that was sent (RFC 6749 section 4.1.2)")
	}
	switch code := Code(q.get("error")); code {
	case "":
	case InteractionRequired, "login_required", "consent_required", "account_selection_required":
		return nil, w.interaction()
	default:
		if !scopeChar.holds(string(code)) {
			return nil, BadGateway("the identity provider's error code is malformed")
		}
		fault := refuse(code, "RFC 6749 section 4.1.2.1", "the identity provider refused the request")
		fault.Detail = q.get("error_description")
		return nil, fault
	}
	if q.get("code") == "" {
		return nil, BadGateway("the identity provider's redirect has neither a code nor an error")
	}
	return &Result{Code: q.get("code"), State: q.get("state")}, nil
}

// interaction is the answer when a person is needed.
func (w *Walk) interaction() *Error {
	return refuse(InteractionRequired, "OpenID Connect Core 1.0 section 3.1.2.6",
		"a person has to log in; open error_uri in a browser").withURI(w.page())
}

// page is the same request as a browser would make it.
func (w *Walk) page() string {
	start := append(w.policy.AppendURL(nil, Authorize), '?')
	return string(w.request.appendQueryExcept(start, w.request.ResponseMode, !w.request.Silent))
}

func (e *Error) withURI(uri string) *Error {
	e.URI = uri
	return e
}

// Append appends the result in the given media type.
func (r *Result) Append(dst []byte, as ResultType) []byte {
	if as == FormResult {
		dst = appendParam(dst, "code", r.Code)
		return appendParam(dst, "state", r.State)
	}
	dst = append(dst, `{"code":`...)
	dst = appendJSONString(dst, r.Code)
	dst = append(dst, `,"state":`...)
	dst = appendJSONString(dst, r.State)
	return append(dst, "}\n"...)
}
