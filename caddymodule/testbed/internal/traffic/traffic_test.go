package traffic_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/traffic"
)

func TestARecordTellsFailuresFromDroppedConnectionsAndFromWhatIsExcused(t *testing.T) {
	excused := false
	record := traffic.Record{Excused: func(time.Time, time.Time) bool { return excused }}
	do := func(err error) {
		record.Do(t.Context(), traffic.Operation{Name: "work", Do: func(context.Context, string) error { return err }}, "")
	}
	do(nil)
	do(errors.New("wrong"))
	do(errors.New("wrong"))
	_, err := net.Dial("tcp", closedAddress(t))
	do(err)
	excused = true
	do(nil)
	do(errors.New("broken on purpose"))

	f := record.Take()
	require.Equal(t, [4]int{1, 2, 1, 1}, [4]int{f.Done, f.Failed, f.Dropped, f.Excused})
	require.Equal(t, map[string]int{"work: wrong": 2}, f.Messages)
	require.Zero(t, record.Take().Done, "it begins anew")
}

func closedAddress(t *testing.T) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	return listener.Addr().String()
}

func TestWhatHasBegunIsFinished(t *testing.T) {
	var record traffic.Record
	var begun, finished atomic.Int32
	work := []traffic.Operation{{Name: "work", Do: func(ctx context.Context, _ string) error {
		begun.Add(1)
		time.Sleep(5 * time.Millisecond)
		finished.Add(1)
		return ctx.Err()
	}}}
	here := func() string { return "" }
	for _, run := range []func(context.Context){
		func(ctx context.Context) { record.Flood(ctx, 3, work, here) },
		func(ctx context.Context) { record.Steady(ctx, time.Millisecond, work, here) },
	} {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(20*time.Millisecond, cancel)
		run(ctx)
		require.Equal(t, begun.Load(), finished.Load())
	}
	f := record.Take()
	require.EqualValues(t, finished.Load(), f.Done)
	require.LessOrEqual(t, f.P50, f.P99)
	require.LessOrEqual(t, f.P99, f.Max)
}

// dropping drops the first connections.
type dropping struct{ left int }

func (d *dropping) RoundTrip(r *http.Request) (*http.Response, error) {
	if d.left--; d.left >= 0 {
		return nil, net.ErrClosed
	}
	return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody, Request: r}, nil
}

func TestOnlyADroppedConnectionIsTriedAgain(t *testing.T) {
	request, err := http.NewRequest(http.MethodGet, "http://127.0.0.1", nil)
	require.NoError(t, err)
	_, err = traffic.Again{RoundTripper: &dropping{1}}.RoundTrip(request)
	require.ErrorIs(t, err, net.ErrClosed, "not one that the server dropped")
}
