package identity

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const rotatingClients = "parameters oauth\n" + twoClients + "callback\nrotate_refresh {\ngrace 1s\n}"

func TestARefreshTokenRotates(t *testing.T) {
	g := newGateway(t, rotatingClients)
	token := g.refreshToken()
	require.Less(t, len(token), 128)
	g.idp.respondWith(respondJSON(200, recordedToken)) // an IdP that does not rotate
	refresh := func(token string) *response { return g.post("/oauth/token", refreshBody(token)) }

	time.Sleep(1100 * time.Millisecond)
	a := refresh(token)
	require.Equal(t, 200, a.StatusCode, a.body)
	current := a.refreshToken(t)
	require.NotEmpty(t, current)
	again := refresh(token)
	require.Equal(t, 200, again.StatusCode, "a retry")
	require.Equal(t, 200, refresh(current).StatusCode)
	require.Equal(t, "invalid_grant", g.post("/oauth/token", refreshBody(current, "client_id", "other")).code())
	require.Equal(t, 200, refresh(again.refreshToken(t)).StatusCode, "another client's attempt ends nothing")

	time.Sleep(1100 * time.Millisecond)
	g.idp.reached()
	require.Equal(t, "invalid_grant", refresh(token).code())
	require.Equal(t, "invalid_grant", refresh(current).code())
	require.Empty(t, g.idp.reached())
}

func TestWhatTheIdPRejectsIsNotRotated(t *testing.T) {
	g := newGateway(t, rotatingClients)
	token := g.refreshToken()
	for _, respond := range []http.HandlerFunc{
		respondJSON(400, `{"error":"invalid_scope"}`), respondJSON(503, `{}`), respondJSON(500, `{}`),
		func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		g.idp.respondWith(respond)
		require.NotEqual(t, 200, g.post("/oauth/token", refreshBody(token)).StatusCode)
		time.Sleep(1100 * time.Millisecond)
	}
	g.idp.respondWith(nil)
	require.Equal(t, 200, g.post("/oauth/token", refreshBody(token)).StatusCode)
}

func TestParallelRefreshesReachARotatingIdPOneByOne(t *testing.T) {
	g := newGateway(t, rotatingClients)
	token := g.refreshToken()
	var mu sync.Mutex
	last := 1
	g.idp.respondWith(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		g.idp.mu.Lock()
		reached := g.idp.requests[len(g.idp.requests)-1]
		g.idp.mu.Unlock()
		if want := fmt.Sprintf("refresh_token=idp-refresh-%d", last); !containsParam(reached.body, want) {
			t.Errorf("the IdP gets %s instead of %s", reached.body, want)
		}
		last++
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"access_token":"at","token_type":"Bearer","refresh_token":"idp-refresh-%d"}`, last)
	})
	time.Sleep(1100 * time.Millisecond)
	var group sync.WaitGroup
	for range 6 {
		group.Go(func() {
			if a := g.post("/oauth/token", refreshBody(token)); a.StatusCode != 200 {
				t.Error(a.body)
			}
		})
	}
	group.Wait()
	require.Equal(t, 7, last)
}

func containsParam(body, param string) bool {
	for len(body) >= len(param) {
		if body[:len(param)] == param && (len(body) == len(param) || body[len(param)] == '&') {
			return true
		}
		body = body[1:]
	}
	return false
}
