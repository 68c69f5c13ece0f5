package operation

import (
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Problem is a failure that the client is told of: problem details for JSON
// clients (RFC 9457, of the type "about:blank", so that the title is the
// status's own), a line of text for those that asked for text.
type Problem struct {
	Status int
	// Detail says in a sentence what was wrong and what to do.
	Detail string
}

func (p *Problem) Error() string { return p.Detail }

func problemf(status int, format string, args ...any) *Problem {
	return &Problem{Status: status, Detail: fmt.Sprintf(format, args...)}
}

// BadRequest is the problem of a request that err says is wrong.
func BadRequest(err error) *Problem {
	return problemf(http.StatusBadRequest, "%v.", err)
}

func (p *Problem) write(w http.ResponseWriter, format Format) {
	if format == Plain {
		writeBody(w, p.Status, mediaTypePlain, []byte(p.Detail+"\n"))
		return
	}
	body, _ := json.Marshal(struct {
		Type   string `json:"type"`
		Title  string `json:"title"`
		Status int    `json:"status"`
		Detail string `json:"detail"`
	}{"about:blank", http.StatusText(p.Status), p.Status, p.Detail}, jsontext.AllowInvalidUTF8(true))
	writeBody(w, p.Status, mediaTypeProblem, body)
}
