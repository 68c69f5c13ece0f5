package operation

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// Over HTTP/3 a body that was cut reads as a complete one.
func TestABatchThatEndsBeforeItsLengthSaysSo(t *testing.T) {
	o := New(path, Options{MaxBody: 10, Gate: gate(10)})
	r := post("{}\n{}", "application/x-ndjson")
	r.ContentLength++
	response := serve(t, o, r, echo)
	require.Equal(t, "{}\n"+
		`{"type":"about:blank","title":"Bad Request","status":400,"detail":"Line 2: The request body ended early."}`+"\n", readBody(t, response))
}

// FuzzLines holds the lines of a batch to a split of the whole: those that are short enough are there, complete and in their
// order, and of the others nothing is kept that the next one could begin with.
func FuzzLines(f *testing.F) {
	f.Add([]byte("{\"value\":\"a\"}\n\n{\"value\":\"b\"}"), uint8(20), uint8(16))
	f.Add([]byte("\r\n\n\n"), uint8(1), uint8(16))
	f.Add(bytes.Repeat([]byte("a"), 100), uint8(50), uint8(16))
	f.Add(append(bytes.Repeat([]byte("a"), 40), "\nb\n"...), uint8(2), uint8(17))
	f.Fuzz(func(t *testing.T, body []byte, most, buffer uint8) {
		in := bufio.NewReaderSize(bytes.NewReader(body), int(buffer)) // at least 16
		var line []byte
		read := 0
		for _, want := range bytes.SplitAfter(body, []byte("\n")) {
			var size int64
			var tooLong bool
			var err error
			line, size, tooLong, err = appendLine(line[:0], in, int64(most), func(have int) (int, error) { return 2*have + 1, nil })
			require.EqualValues(t, len(want), size)
			require.Equal(t, len(want) > int(most), tooLong)
			if !tooLong {
				require.Equal(t, string(want), string(line))
			}
			if read += int(size); err != nil {
				require.ErrorIs(t, err, io.EOF)
				require.Len(t, body, read, "the end is the end of the body")
			}
		}
		require.Len(t, body, read)
	})
}

// What one line did does not show in the next one's place.
func TestAFieldOfTheHeaderIsNoLinesOwn(t *testing.T) {
	o := New(path, Options{MaxBody: 10, Gate: gate(10)})
	for contentType, want := range map[string]string{"": "a", mediaTypeBatch: ""} {
		recorder := httptest.NewRecorder()
		o.Serve(recorder, post("{}", contentType), func(string) (Responder, error) {
			return func(_ context.Context, dst []byte, _ Request) (Response, error) {
				return Response{Body: dst, Field: [2]string{"X-Field", "a"}}, nil
			}, nil
		})
		require.Equal(t, http.StatusOK, recorder.Code)
		require.Equal(t, want, recorder.Header().Get("X-Field"))
	}
}
