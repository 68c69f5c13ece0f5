package anonymous

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// Nothing of an error route's response goes out before its body begins: until then the
// gateway's own page can take its place.
func TestAnErrorPageBeginsWithItsBody(t *testing.T) {
	write := func(body string) func(*errorPage) {
		return func(p *errorPage) {
			n, err := p.Write([]byte(body))
			require.NoError(t, err)
			require.Len(t, body, n)
		}
	}
	status := func(status int) func(*errorPage) { return func(p *errorPage) { p.WriteHeader(status) } }
	flush := func(p *errorPage) { require.NoError(t, http.NewResponseController(p).Flush()) }
	for name, tt := range map[string]struct {
		steps       []func(*errorPage)
		wantWritten bool
		wantStatus  int
		wantBody    string
	}{
		"a status alone":             {steps: []func(*errorPage){status(404)}, wantStatus: 200}, // the recorder's
		"a status and a flush":       {steps: []func(*errorPage){status(404), flush}, wantStatus: 200},
		"a status and an empty body": {steps: []func(*errorPage){status(404), write("")}, wantStatus: 200},
		"a body":                     {steps: []func(*errorPage){write("a"), write(""), write("b")}, wantWritten: true, wantStatus: 200, wantBody: "ab"},
		"a status and a body":        {steps: []func(*errorPage){status(404), status(500), write("a"), flush}, wantWritten: true, wantStatus: 404, wantBody: "a"},
		"an interim response":        {steps: []func(*errorPage){status(103), status(404), write("a")}, wantWritten: true, wantStatus: 404, wantBody: "a"},
	} {
		t.Run(name, func(t *testing.T) {
			w := &interimRecorder{ResponseRecorder: httptest.NewRecorder()}
			page := &errorPage{ResponseWriter: w}
			for _, step := range tt.steps {
				step(page)
			}
			require.Equal(t, tt.wantWritten, page.written)
			require.Equal(t, tt.wantStatus, w.Code)
			require.Equal(t, tt.wantBody, w.Body.String())
			require.Equal(t, name == "a status and a body", w.Flushed)
			require.Equal(t, name == "an interim response", w.interim)
		})
	}
}

// interimRecorder takes interim (1xx) responses.
type interimRecorder struct {
	*httptest.ResponseRecorder
	interim bool
}

func (w *interimRecorder) WriteHeader(status int) {
	if w.interim = w.interim || status < 200; status >= 200 {
		w.ResponseRecorder.WriteHeader(status)
	}
}
