package issuers

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/caddyserver/certmagic"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
)

// quick is a timing for tests.
var quick = timing{refresh: 20 * time.Millisecond, retryMin: 5 * time.Millisecond, retryMax: 20 * time.Millisecond, request: 2 * time.Second, end: 50 * time.Millisecond}

// idpServer is an IdP that says what the test wants.
type idpServer struct {
	*httptest.Server
	mu      sync.Mutex
	respond http.HandlerFunc
	asked   atomic.Int32
}

func newIdP(t *testing.T) *idpServer {
	s := new(idpServer)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.asked.Add(1)
		s.mu.Lock()
		respond := s.respond
		s.mu.Unlock()
		respond(w, r)
	}))
	t.Cleanup(s.Close)
	s.says(s.document("/token"))
	return s
}

func (s *idpServer) document(tokenPath string) string {
	return fmt.Sprintf(`{"issuer":%q,"authorization_endpoint":"%[1]s/authorize","token_endpoint":"%[1]s%s","jwks_uri":"%[1]s/keys"}`, s.URL, tokenPath)
}

func (s *idpServer) does(respond http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.respond = respond
}

// says publishes a document at OpenID Connect's address.
func (s *idpServer) says(document string) {
	s.does(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/.well-known/openid-configuration" {
			http.NotFound(w, r)
			return
		}
		_, _ = io.WriteString(w, document)
	})
}

func (s *idpServer) isDown() {
	s.does(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
}

func storageIn(folder string) certmagic.Storage { return &certmagic.FileStorage{Path: folder} }

func user(t *testing.T, issuer, folder string) *Handle {
	h, err := open(issuer, Access{Storage: storageIn(folder), Logger: zap.NewNop()}, quick)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, h.Close()) })
	return h
}

func await(t *testing.T, h *Handle) *discovery.Metadata {
	m, err := h.Await(t.Context())
	require.NoError(t, err)
	return m
}

func TestAllUsersOfAnIssuerShareWhatIsFetched(t *testing.T) {
	idp := newIdP(t)
	first, second := user(t, idp.URL, t.TempDir()), user(t, idp.URL, t.TempDir())
	require.Zero(t, idp.asked.Load(), "validating a configuration must ask nobody")
	m := await(t, first)
	require.Equal(t, idp.URL+"/token", m.TokenEndpoint.String())
	require.Same(t, m, await(t, second))
	require.Eventually(t, func() bool { return idp.asked.Load() > 3 }, 5*time.Second, time.Millisecond, "it is refreshed")
	require.Same(t, m, first.Current(), "nothing has changed")
}

// hangingStorage stores nothing until it is released, whatever its context says.
type hangingStorage struct {
	certmagic.Storage
	began, released chan struct{}
}

func (s hangingStorage) Store(context.Context, string, []byte) error {
	close(s.began)
	<-s.released
	return nil
}

func TestAStorageThatHangsHoldsUpNoReload(t *testing.T) {
	idp := newIdP(t)
	storage := hangingStorage{storageIn(t.TempDir()), make(chan struct{}), make(chan struct{})}
	h, err := open(idp.URL, Access{Storage: storage, Logger: zap.NewNop()}, quick)
	require.NoError(t, err)
	h.Start()
	<-storage.began
	closed := make(chan error)
	go func() { closed <- h.Close() }()
	select {
	case err := <-closed:
		require.NoError(t, err)
	case <-time.After(20 * time.Second):
		t.Error("the configuration before waits for the storage")
	}
	close(storage.released)
	<-h.source.done
}

func TestTheAddressOfRFC8414IsTheSecond(t *testing.T) {
	idp := newIdP(t)
	idp.does(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/.well-known/oauth-authorization-server/tenant" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprintf(w, `{"issuer":"%s/tenant","token_endpoint":"%[1]s/t"}`, idp.URL)
	})
	require.Equal(t, idp.URL+"/t", await(t, user(t, idp.URL+"/tenant", t.TempDir())).TokenEndpoint.String())
}

func TestWhatTheIdPSaysAnewIsUsedAtOnce(t *testing.T) {
	idp := newIdP(t)
	h := user(t, idp.URL, t.TempDir())
	old := await(t, h)
	idp.says(idp.document("/token2"))
	require.Eventually(t, func() bool { return h.Current() != old }, 5*time.Second, time.Millisecond)
	require.Equal(t, idp.URL+"/token2", h.Current().TokenEndpoint.String())
	require.Equal(t, idp.URL+"/token", old.TokenEndpoint.String(), "who holds the old one still sees all of it")
}

func TestAnIdPThatIsDownAtTheStartIsKnownFromStorage(t *testing.T) {
	idp, folder := newIdP(t), t.TempDir()
	before := user(t, idp.URL, folder)
	await(t, before)
	require.Eventually(t, func() bool {
		return storageIn(folder).Exists(context.Background(), storageKey(idp.URL, Access{}))
	}, 5*time.Second, time.Millisecond)
	require.NoError(t, before.Close()) // the process ends

	idp.isDown()
	require.Equal(t, idp.URL+"/token", await(t, user(t, idp.URL, folder)).TokenEndpoint.String())
}

func TestNothingIsKnownUntilTheIdPAnswers(t *testing.T) {
	idp := newIdP(t)
	idp.isDown()
	h := user(t, idp.URL, t.TempDir())
	require.Nil(t, h.Current())
	_, err := h.Await(t.Context())
	require.ErrorIs(t, err, ErrUnknown)
	require.ErrorContains(t, err, "/.well-known/openid-configuration", "the error says what was asked")
	idp.says(idp.document("/token"))
	require.Eventually(t, func() bool { return h.Current() != nil }, 5*time.Second, time.Millisecond)
}

func TestAwaitEndsWithItsContext(t *testing.T) {
	idp := newIdP(t)
	hang := make(chan struct{})
	t.Cleanup(func() { close(hang) })
	idp.does(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-hang:
		case <-r.Context().Done():
		}
	})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	_, err := user(t, idp.URL, t.TempDir()).Await(ctx)
	require.ErrorIs(t, err, ErrUnknown)
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestWhatIsNotBelievedChangesNothing(t *testing.T) {
	for name, attack := range map[string]func(*idpServer, http.ResponseWriter, *http.Request){
		"another issuer": func(s *idpServer, w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, strings.Replace(s.document("/evil"), s.URL, "https://evil.example", 1))
		},
		"an endpoint elsewhere by http": func(s *idpServer, w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, strings.Replace(s.document("/evil"), s.URL+"/evil", "http://192.0.2.1/evil", 1))
		},
		"a redirect": func(_ *idpServer, w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/evil" {
				_, _ = io.WriteString(w, `{}`)
				return
			}
			http.Redirect(w, r, "/evil", http.StatusFound)
		},
		"a document without end": func(_ *idpServer, w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := w.Write(bytes.Repeat([]byte(" "), 64<<10)); err != nil {
					return
				}
			}
		},
		"an answer that breaks off": func(s *idpServer, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, s.document("/evil"))
		},
		"an error":  func(_ *idpServer, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) },
		"no answer": func(*idpServer, http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			idp := newIdP(t)
			h := user(t, idp.URL, t.TempDir())
			m := await(t, h)
			idp.does(func(w http.ResponseWriter, r *http.Request) { attack(idp, w, r) })
			asked := idp.asked.Load()
			require.Eventually(t, func() bool { return idp.asked.Load() > asked+3 }, 10*time.Second, time.Millisecond)
			require.Same(t, m, h.Current())
		})
	}
}

func TestTheStorageIsNotBelievedMoreThanTheIdP(t *testing.T) {
	idp := newIdP(t)
	for name, stored := range map[string]string{
		"another issuer":  `{"issuer":"` + idp.URL + `","document":{"issuer":"https://evil.example"}}`,
		"a downgrade":     `{"issuer":"` + idp.URL + `","document":{"issuer":"` + idp.URL + `","token_endpoint":"http://evil.example/"}}`,
		"half a document": `{"issuer":"` + idp.URL + `","docu`,
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			require.NoError(t, storageIn(folder).Store(t.Context(), storageKey(idp.URL, Access{}), []byte(stored)))
			core, logs := observer.New(zapcore.WarnLevel)
			m, _ := load(t.Context(), Access{Storage: storageIn(folder), Logger: zap.New(core)}, idp.URL)
			require.Nil(t, m)
			require.Equal(t, 1, logs.Len())
		})
	}
}

// A site that checks no certificate of the IdP believes whoever is on the way, and so
// would all others, whose logins go where the metadata says.
func TestUsersThatTrustDifferentlyShareNothing(t *testing.T) {
	idp, folder := newIdP(t), t.TempDir()
	forger := roundTripper(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Header: make(http.Header), Body: io.NopCloser(strings.NewReader(idp.document("/forged")))}, nil
	})
	credulous := Access{Storage: storageIn(folder), Logger: zap.NewNop(), Transport: forger, Trusts: `{"tls":{"insecure_skip_verify":true}}`}
	first, err := open(idp.URL, credulous, quick)
	require.NoError(t, err)
	second, err := open(idp.URL, credulous, quick)
	require.NoError(t, err)
	require.Equal(t, idp.URL+"/forged", await(t, first).TokenEndpoint.String())
	require.Same(t, await(t, first), await(t, second))

	idp.isDown()
	careful := user(t, idp.URL, folder)
	_, err = careful.Await(t.Context())
	require.ErrorIs(t, err, ErrUnknown, "neither from the other's memory nor from the storage")
	idp.says(idp.document("/token"))
	require.Eventually(t, func() bool { return careful.Current() != nil }, 10*time.Second, time.Millisecond)
	require.Equal(t, idp.URL+"/token", await(t, careful).TokenEndpoint.String())
	require.Equal(t, idp.URL+"/forged", await(t, first).TokenEndpoint.String())

	require.NoError(t, first.Close())
	require.NoError(t, first.Close(), "a second time does nothing")
	require.NoError(t, second.Close())
}

func TestMetricsOfAnIssuerThatIsTrustedInTwoWays(t *testing.T) {
	idp := newIdP(t)
	registry := prometheus.NewPedanticRegistry()
	for _, trusts := range []string{"", "{}", "{}"} {
		h, err := open(idp.URL, Access{Storage: storageIn(t.TempDir()), Logger: zap.NewNop(), Trusts: trusts, Metrics: registry}, quick)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, h.Close()) })
		if trusts == "" {
			await(t, h)
			require.Equal(t, map[string]float64{"known": 1, "age_seconds": 1, "failures_total": 1}, shown(t, registry))
		}
	}
	require.Equal(t, map[string]float64{"known": 0, "failures_total": 1}, shown(t, registry), "one of them does not know it")
}

// shown are the metrics of discovery: the value of known, and how many there are of others.
func shown(t *testing.T, registry *prometheus.Registry) map[string]float64 {
	families, err := registry.Gather()
	require.NoError(t, err)
	values := make(map[string]float64)
	for _, family := range families {
		_, name, _ := strings.Cut(family.GetName(), "discovery_")
		values[name] = float64(len(family.GetMetric()))
		if name == "known" {
			values[name] = family.GetMetric()[0].GetGauge().GetValue()
		}
	}
	return values
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestTheLastUserEndsTheRefreshing(t *testing.T) {
	idp := newIdP(t)
	h := user(t, idp.URL, t.TempDir())
	await(t, h)
	require.NoError(t, h.Close())
	<-h.source.done

	unused := user(t, idp.URL, t.TempDir())
	require.NoError(t, unused.Close(), "one that nobody has asked ends, too")
}

func TestOpenRejectsWhatIsNoIssuer(t *testing.T) {
	_, err := Open("http://idp.example", Access{})
	require.ErrorContains(t, err, "must be https")
}

func TestStorageKeysOfDifferentIssuersDiffer(t *testing.T) {
	keys := make(map[string]string)
	for _, issuer := range []string{"https://a.example", "https://a.example/", "https://a.example/x", "https://a.example:444", "http://[::1]:80/x", "https://a.example/../../keys/x"} {
		key := storageKey(issuer, Access{})
		require.Empty(t, keys[key], issuer)
		require.NotContains(t, strings.TrimPrefix(key, "identity_gateway/discovery/"), "/")
		require.NotContains(t, key, ":")
		keys[key] = issuer
	}
	require.NotEqual(t, storageKey("https://a.example", Access{}), storageKey("https://a.example", Access{Trusts: "{}"}))
	require.NotEqual(t, storageKey("https://a.example", Access{}), storageKey("https://a.example", Access{At: "https://b.example"}))
	require.NotEqual(t, storageKey("https://a.example", Access{Trusts: "{}"}), storageKey("https://a.example", Access{At: "{}"}))
}

// Of two users of one issuer each gets what is at the address that it has written.
func TestUsersOfAnotherAddressShareNothing(t *testing.T) {
	idp := newIdP(t)
	idp.does(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"issuer":"%s","token_endpoint":"%[1]s/t%s"}`, idp.URL, strings.ReplaceAll(r.URL.Path, "/", "-"))
	})
	for at, want := range map[string]string{"": "/t-.well-known-openid-configuration", idp.URL + "/policy": "/t-policy"} {
		h, err := open(idp.URL, Access{Storage: storageIn(t.TempDir()), Logger: zap.NewNop(), At: at}, quick)
		require.NoError(t, err)
		require.Equal(t, idp.URL+want, await(t, h).TokenEndpoint.String())
		t.Cleanup(func() { require.NoError(t, h.Close()) })
	}
	_, err := open(idp.URL, Access{At: "policy"}, quick)
	require.ErrorContains(t, err, "the address of the metadata is not an https URL; write all of it")
}

func TestAnAddressThatAnybodyOnTheWayCanAnswerFor(t *testing.T) {
	for at, warnings := range map[string]int{
		"":                         0,
		"http://127.0.0.1:1/m":     0,
		"https://idp.example/m":    0,
		"http://keycloak:8080/m":   1,
		"http://169.254.169.254/m": 1,
	} {
		core, logs := observer.New(zapcore.WarnLevel)
		h, err := Open("https://idp.example", Access{Storage: storageIn(t.TempDir()), Logger: zap.New(core), At: at})
		require.NoError(t, err)
		require.NoError(t, h.Close())
		require.Equal(t, warnings, logs.Len(), at)
	}
}

// Metadata is fetched in a goroutine of its own.
func TestMain(m *testing.M) { testgateway.MainWithoutLeaks(m) }
