package operation

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/admission"
	"github.com/identity-gateway/caddy-identity-gateway/idp/cors"
)

// counted is an operation, and what it has counted by metric and last label.
func counted(limits admission.Limits) (*Operation, *Metrics) {
	m := NewMetrics()
	return New(path, Options{Name: "echo", Metrics: m, MaxBody: limits.MaxBody, Gate: admission.NewGate(limits.WithDefaults())}), m
}

func value(vec *prometheus.CounterVec, label string) int {
	return int(testutil.ToFloat64(vec.WithLabelValues("UNKNOWN", "echo", label)))
}

func gauge(vec *prometheus.GaugeVec) int {
	return int(testutil.ToFloat64(vec.WithLabelValues("UNKNOWN", "echo")))
}

func fails(context.Context, []byte, Request) ([]byte, error) { return nil, errors.New("broken") }

func TestRequestsAreCountedByOutcome(t *testing.T) {
	gone := func() *http.Request {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		return post("", "").WithContext(ctx)
	}
	for want, tt := range map[string]struct {
		request *http.Request
		respond respond
	}{
		"ok": {post("{}", ""), echo},
		"bad_request": {post("{}", ""), func(context.Context, []byte, Request) ([]byte, error) {
			return nil, BadRequest("a rule", errors.New("no"))
		}},
		"method_not_allowed":     {httptest.NewRequest("BREW", path, nil), echo},
		"content_too_large":      {post(strings.Repeat("x", 11), ""), echo},
		"unsupported_media_type": {post("x", "image/png"), echo},
		"client_gone":            {gone(), func(ctx context.Context, _ []byte, _ Request) ([]byte, error) { return nil, ctx.Err() }},
		"failed":                 {post("", ""), fails},
	} {
		t.Run(want, func(t *testing.T) {
			o, m := counted(admission.Limits{MaxBody: 10})
			o.Serve(httptest.NewRecorder(), tt.request, handler(tt.respond))
			for _, outcome := range outcomes {
				expected := 0
				if outcome == want {
					expected = 1
				}
				require.Equal(t, expected, value(m.requests, outcome), outcome)
			}
			require.Zero(t, gauge(m.inFlight))
			require.Zero(t, gauge(m.queued))
		})
	}
}

func TestAPreflightIsNotCounted(t *testing.T) {
	o, m := counted(admission.Limits{MaxBody: 10})
	r := httptest.NewRequest(http.MethodOptions, path, nil)
	r.Header.Set("Origin", "https://app.example")
	r.Header.Set("Access-Control-Request-Method", http.MethodPost)
	var err error
	o.options.Origins, err = cors.ParseOrigins([]string{"https://app.example"})
	require.NoError(t, err)
	o.Serve(httptest.NewRecorder(), r, handler(echo))
	require.Zero(t, testutil.CollectAndCount(m.requests))
}

func TestTheLinesOfABatchAreCountedEach(t *testing.T) {
	o, m := counted(admission.Limits{MaxBody: 10})
	lines := 0
	o.Serve(httptest.NewRecorder(), post("{}\n\n{}\n{\"too long for it\"}\n{}\n", mediaTypeBatch), handler(func(_ context.Context, dst []byte, r Request) ([]byte, error) {
		if lines++; lines == 2 {
			return dst, errors.New("broken")
		}
		return append(dst, r.Body...), nil
	}))
	require.Equal(t, 1, value(m.requests, "ok"), "a batch is one request")
	require.Zero(t, value(m.requests, "failed"))
	for outcome, want := range map[string]int{"ok": 2, "failed": 1, "content_too_large": 1} {
		require.Equal(t, want, value(m.batchLines, outcome), outcome)
	}
	require.Zero(t, gauge(m.inFlight))
	require.Zero(t, gauge(m.queued))
	require.Equal(t, 30.0, sum(t, m.requestSize))
	require.Equal(t, 0.0, sum(t, m.duration), "a batch takes as long as its client")
}

// sum is the sum of what a histogram observed.
func sum(t *testing.T, vec *prometheus.HistogramVec) float64 {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(vec)
	families, err := registry.Gather()
	require.NoError(t, err)
	total := 0.0
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			total += metric.GetHistogram().GetSampleSum()
		}
	}
	return total
}

func TestSizesAndDurations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, m := counted(admission.Limits{MaxBody: 100})
		serve(t, o, post("12345", ""), func(_ context.Context, dst []byte, _ Request) ([]byte, error) {
			time.Sleep(3 * time.Second)
			return append(dst, "123"...), nil
		})
		require.Equal(t, 5.0, sum(t, m.requestSize))
		require.Equal(t, 3.0, sum(t, m.responseSize))
		require.Equal(t, 3.0, sum(t, m.duration))
	})
}

// The first is worked on, the second waits for the processor. The third waits for
// memory, of which the second, once refused, leaves too little.
func TestWhatWaitsIsQueuedAndWhatWaitsInVainRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const large, small = 3 << 19, 1 << 19
		o, m := counted(admission.Limits{MaxConcurrent: 1, MaxBody: large, MaxBuffered: 3 << 20, MaxWait: time.Second})
		for _, size := range []int{large, small, large} {
			go func() {
				o.Serve(httptest.NewRecorder(), post(strings.Repeat("x", size), ""), handler(func(context.Context, []byte, Request) ([]byte, error) {
					time.Sleep(time.Minute)
					return nil, nil
				}))
			}()
			synctest.Wait()
		}
		require.Equal(t, 3, gauge(m.inFlight))
		require.Equal(t, 2, gauge(m.queued))
		time.Sleep(2 * time.Second)
		require.Equal(t, 1, gauge(m.inFlight))
		require.Zero(t, gauge(m.queued))
		require.Equal(t, 2, value(m.requests, "refused"))
		require.Equal(t, 1, value(m.refused, "no_processor"))
		require.Equal(t, 1, value(m.refused, "no_memory"))
		time.Sleep(time.Minute)
		require.Zero(t, gauge(m.inFlight))
	})
}

// Whatever comes in, there are no more series than after the first request.
func TestNoRequestMakesANewSeries(t *testing.T) {
	o, m := counted(admission.Limits{MaxBody: 10})
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(m.Collectors()...)
	count := func() int {
		n, err := testutil.GatherAndCount(registry)
		require.NoError(t, err)
		return n
	}
	serve(t, o, post("{}", ""), echo)
	after := count()
	for _, method := range []string{http.MethodGet, "BREW", strings.Repeat("X", 100)} {
		for _, mediaType := range []string{"", "a/b", mediaTypeBatch, "\xff"} {
			for _, target := range []string{path, path + "?a=" + mediaType} {
				r := httptest.NewRequest(method, target, strings.NewReader(strings.Repeat("y", 20)))
				r.Header.Set("Content-Type", mediaType)
				r.Host = method + ".example"
				o.Serve(httptest.NewRecorder(), r, handler(fails))
			}
		}
	}
	require.Equal(t, after, count())
	problems, err := testutil.GatherAndLint(registry)
	require.NoError(t, err)
	require.Empty(t, problems)
}
