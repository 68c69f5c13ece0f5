package main

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
	var targets [2]target
	for i, name := range []string{"first", "second"} {
		targets[i] = target{
			name: name, address: strings.TrimPrefix(server.URL, "http://"), status: http.StatusTeapot,
			request: func(dst []byte, connection, n int) []byte {
				return append(dst, "GET /"+name+string(rune('a'+connection))+strings.Repeat("x", n)+" HTTP/1.1\r\nHost: x\r\n\r\n"...)
			},
		}
	}
	reached, err := compare(plan{connections: 3, rounds: 2, round: 20 * time.Millisecond}, targets)
	require.NoError(t, err)
	require.Len(t, reached, 2)
	require.Positive(t, reached.medians(1).perSecond)
	for path, times := range seen {
		require.Equal(t, 1, times, path)
	}
}

func TestFiguresOfATurnBelongTogether(t *testing.T) {
	var reached turns
	for _, rates := range [][2]float64{{2, 1}, {40, 10}, {6, 2}, {8, 2}, {30, 15}} {
		reached = append(reached, [2]round{{perSecond: rates[0]}, {perSecond: rates[1]}})
	}
	require.Equal(t, "3.00 (2.00-4.00)", reached.ratio(0, 1, round.rate)) // of 2, 4, 3, 4 and 2
}
