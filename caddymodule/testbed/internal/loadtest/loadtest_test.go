package loadtest

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestEveryRequestIsSentOnceAndCounted(t *testing.T) {
	var mu sync.Mutex
	seen := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		seen[r.URL.Path]++
		w.WriteHeader(http.StatusTeapot)
	}))
	defer server.Close()
	results, err := Compare(Plan{Connections: 3, Rounds: 2, Round: 20 * time.Millisecond}, Target{
		Name:    "teapot",
		Address: strings.TrimPrefix(server.URL, "http://"),
		Request: func(dst []byte, connection, n int) []byte {
			return append(dst, "GET /"+string(rune('a'+connection))+strings.Repeat("x", n)+" HTTP/1.1\r\nHost: x\r\n\r\n"...)
		},
		Status: http.StatusTeapot,
	})
	require.NoError(t, err)
	require.Positive(t, results[0].PerSecond)
	require.LessOrEqual(t, results[0].P50, results[0].P99)
	for path, times := range seen {
		require.Equal(t, 1, times, path)
	}
}

func TestAWrongStatusIsAnError(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	_, err := Compare(Plan{Connections: 1, Rounds: 1, Round: time.Millisecond}, Target{
		Name:    "missing",
		Address: strings.TrimPrefix(server.URL, "http://"),
		Request: Fixed([]byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n")),
		Status:  http.StatusOK,
	})
	require.ErrorContains(t, err, `missing: responded "HTTP/1.1 404 Not Found", not status 200`)
}

func TestAResponseOfAnotherLengthIsAnError(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer server.Close()
	_, err := Compare(Plan{Connections: 1, Rounds: 1, Round: time.Millisecond}, Target{
		Name:    "empty",
		Address: strings.TrimPrefix(server.URL, "http://"),
		Request: Fixed([]byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n")),
		Status:  http.StatusOK,
		Length:  5,
	})
	require.ErrorContains(t, err, "empty: responded with 0 bytes, not 5")
}

func TestFiguresOfATurnBelongTogether(t *testing.T) {
	rounds := func(figures ...float64) Result {
		var r Result
		for _, figure := range figures {
			r.Rounds = append(r.Rounds, Round{PerSecond: figure})
		}
		return r
	}
	ratio := Each(func(turn []Round) float64 { return turn[0].PerSecond / turn[1].PerSecond },
		rounds(2, 40, 6, 8, 30), rounds(1, 10, 2, 2, 15))
	require.Equal(t, Spread{Low: 2, Median: 3, High: 4}, ratio) // of 2, 4, 3, 4 and 2
	require.Equal(t, "3.00 (2.00-4.00)", ratio.String())
}
