package operation

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/admission"
)

// Problem is an error that the client gets to read: as problem details (RFC 9457) of the type "about:blank", whose title is the
// status's own, or as a line of text if it asked for text.
type Problem struct {
	Status int
	// Rule is what was wrong, in the words of the log: one of a fixed set, without anything that the client sent.
	Rule string
	// Detail says in a sentence what is wrong and what to do.
	Detail string

	field [2]string // of the response's header, by name and value; may be empty
}

// with sets a header field of the response.
func (p *Problem) with(name, value string) *Problem {
	p.field = [2]string{name, value}
	return p
}

// clientGone is the problem of work that was given up because the client has left. Nobody but the log sees it, and a client that
// closed the sending half of its connection only: net/http can't tell the two apart.
func clientGone() *Problem {
	return problemf(decision.StatusClientGone, "the client left before there was a response",
		"The connection was closed from your side before the response was ready. Keep it open in both directions until then.")
}

// busy is the problem of a request that has to come back later. err says why.
func busy(err error) *Problem {
	rule := admission.ErrBusy
	for _, reason := range []error{admission.ErrQueueFull, admission.ErrNoMemory, admission.ErrNoProcessor} {
		if errors.Is(err, reason) {
			rule = reason
		}
	}
	return problemf(http.StatusServiceUnavailable, rule.Error(), "More requests are waiting than can be worked on. Try again in a second.").with("Retry-After", "1")
}

// title is the status's own phrase.
func (p *Problem) title() string {
	if p.Status == decision.StatusClientGone {
		return "Client Closed Request"
	}
	return http.StatusText(p.Status)
}

func (p *Problem) Error() string { return p.Detail }

func problemf(status int, rule, format string, args ...any) *Problem {
	return &Problem{Status: status, Rule: rule, Detail: fmt.Sprintf(format, args...)}
}

// BadRequest is the problem of a request that breaks a rule as err says.
func BadRequest(rule string, err error) *Problem {
	return problemf(http.StatusBadRequest, rule, "%v.", err)
}

func (p *Problem) write(w http.ResponseWriter, format Format) {
	if p.field[0] != "" {
		w.Header().Set(p.field[0], p.field[1])
	}
	if format != JSON {
		writeBody(w, w, p.Status, Plain.contentType(), []byte(p.Detail+"\n"))
		return
	}
	writeBody(w, w, p.Status, mediaTypeProblem, p.json())
}

// json is the problem as an object of RFC 9457 section 3.
func (p *Problem) json() []byte {
	encoded, _ := json.Marshal(struct {
		Type   string `json:"type"`
		Title  string `json:"title"`
		Status int    `json:"status"`
		Detail string `json:"detail"`
	}{"about:blank", p.title(), p.Status, p.Detail}, jsontext.AllowInvalidUTF8(true))
	return encoded
}
