package operation

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

func TestAcceptedBodies(t *testing.T) {
	o := New(path, Options{MaxBody: 10, Gate: gate(10)})
	for name, tt := range map[string]struct {
		request *http.Request
		want    string
	}{
		"JSON":                      {post("{}", "application/json"), "{}"},
		"charset":                   {post("{}", `application/json; charset="UTF-8"`), "{}"},
		"JSON suffix":               {post("{}", "application/vnd.x+json"), "{}"},
		"no media type":             {post("{}", ""), "{}"},
		"exactly the limit":         {post("1234567890", "application/json"), "1234567890"},
		"empty body, any type":      {post("", "text/html"), ""},
		"absent body":               {httptest.NewRequest(http.MethodPost, path, nil), ""},
		"unknown length":            {httptest.NewRequest(http.MethodPost, path, io.MultiReader(strings.NewReader("ab"), strings.NewReader("cd"))), "abcd"},
		"identity content encoding": {func() *http.Request { r := post("x", ""); r.Header.Set("Content-Encoding", "identity"); return r }(), "x"},
	} {
		response := serve(t, o, tt.request, echo)
		require.Equal(t, http.StatusOK, response.StatusCode, name)
		require.Equal(t, "application/json", response.Header.Get("Content-Type"), name)
		require.Equal(t, "no-store", response.Header.Get("Cache-Control"), name)
		require.Equal(t, tt.want, readBody(t, response), name)
	}
}

func TestContentNegotiation(t *testing.T) {
	for accept, want := range map[string]Format{
		"": JSON, "text/plain; charset=utf-8": Plain, "text/markdown, text/plain;q=0.9": Markdown, "text/plain, application/json": JSON, "image/png": JSON,
	} {
		require.Equal(t, want, negotiate([]string{accept}), accept)
	}
}

func TestAnUploadThatIsBrokenOffIsCounted(t *testing.T) {
	o := New(path, Options{MaxBody: 10, Gate: gate(10)})
	r := httptest.NewRequest(http.MethodPost, path, iotest.ErrReader(syscall.ECONNRESET))
	require.Equal(t, 499, serve(t, o, r, echo).StatusCode)
}

func TestQuery(t *testing.T) {
	for query, want := range map[string]bool{
		"": false, "classify=true": true, "classify=false": false, "other=1": false, "other=x&classify=true": true, "cl%61ssify=tru%65": true,
	} {
		q, err := ParseQuery(query)
		require.NoError(t, err, query)
		require.False(t, q.Flag("confidence", false))
		require.Equal(t, want, q.Flag("classify", false), query)
		require.NoError(t, q.Err(), query)
	}
	for query, want := range map[string]string{
		"classify":                     `must be true or false, not ""`,
		"classify=":                    `must be true or false, not ""`,
		"classify=1":                   `must be true or false, not "1"`,
		"classify=TRUE":                `must be true or false, not "TRUE"`,
		"classify=true&classify=true":  "is given 2 times",
		"classify=true&cl%61ssify=x":   "is given 2 times",
		"classify=true;classify=false": "can't be parsed",
		"classify=%zz":                 "can't be parsed",
		"seed=-1":                      `must be a whole number from 0 to 4294967295, not "-1"`,
		"seed=4294967296":              `not "4294967296"`,
		"seed":                         `not ""`,
		"seed=1&seed=1":                "is given 2 times",
		"seed=x&classify=x":            "seed", // the first that is read
	} {
		q, err := ParseQuery(query)
		if err == nil {
			q.Number("seed")
			q.Flag("classify", false)
			err = q.Err()
		}
		require.ErrorContains(t, err, want, query)
	}
	q, err := ParseQuery("seed=4294967295&exclude=a,b&exclude=c")
	require.NoError(t, err)
	require.Equal(t, uint32(4294967295), q.Number("seed"))
	require.Equal(t, []string{"a", "b", "c"}, q.List("exclude"))
	require.Empty(t, q.List("include"))
	require.NoError(t, q.Err())
}

// Nothing is read of a request whose query is wrong, and it takes no place.
func TestTheQueryIsReadFirst(t *testing.T) {
	for _, contentType := range []string{mediaTypeJSON, mediaTypeBatch} {
		o := New(path, Options{MaxBody: 10, Gate: gate(10)})
		serve(t, o, post("", ""), func(_ context.Context, dst []byte, _ Request) ([]byte, error) { // takes the only slot
			body := strings.NewReader("{}\n{}")
			r := httptest.NewRequest(http.MethodPost, path, body)
			r.Header.Set("Content-Type", contentType)
			recorder := httptest.NewRecorder()
			o.Serve(recorder, r, func(string) (Responder, error) { return nil, BadRequest("a rule", errors.New("the query is wrong")) })
			require.Equal(t, http.StatusBadRequest, recorder.Code)
			require.Contains(t, recorder.Body.String(), "the query is wrong.")
			require.Equal(t, 5, body.Len(), "bytes that are left")
			return dst, nil
		})
	}
}
