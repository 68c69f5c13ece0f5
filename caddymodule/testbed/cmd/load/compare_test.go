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

func TestEveryRequestIsSentOnce(t *testing.T) {
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
			address: strings.TrimPrefix(server.URL, "http://"), status: http.StatusTeapot,
			request: func(dst []byte, connection, n int) []byte {
				return append(dst, "GET /"+name+string(rune('a'+connection))+strings.Repeat("x", n)+" HTTP/1.1\r\nHost: x\r\n\r\n"...)
			},
		}
	}
	p := plan{connections: 3, rounds: 2, round: 20 * time.Millisecond, cpuTime: func() (time.Duration, error) { return 0, nil }}
	reached, err := p.compare(targets)
	require.NoError(t, err)
	require.Len(t, reached, 2)
	require.NotEmpty(t, seen)
	for path, times := range seen {
		require.Equal(t, 1, times, path)
	}
}

func TestFiguresOfATurnBelongTogether(t *testing.T) {
	reached := turns{{1, 2}, {10, 40}, {2, 6}, {2, 8}, {15, 30}}
	require.Equal(t, "3.00 (2.00-4.00)", reached.ratio()) // of 2, 4, 3, 4 and 2
}

func TestALoginIsTheSumOfItsSteps(t *testing.T) {
	login := turns{{1, 2}, {10, 10}}
	login.add(turns{{3, 2}, {10, 30}})
	require.Equal(t, turns{{4, 4}, {20, 40}}, login)
}
