package testgateway_test

import (
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	_ "github.com/caddyserver/caddy/v2/modules/standard"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

func TestMain(m *testing.M) {
	testgateway.Main()
	os.Exit(m.Run())
}

func get(t *testing.T, url string) (int, string) {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Get(url)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(body)
}

func TestGatewaysRunSideBySide(t *testing.T) {
	var gateways []*testgateway.Gateway
	for _, text := range []string{"one", "two"} {
		g, err := testgateway.Start(testgateway.Config{Site: "respond " + text})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, g.Stop()) })
		gateways = append(gateways, g)
	}
	for i, text := range []string{"one", "two"} {
		_, body := get(t, gateways[i].URL())
		require.Equal(t, text, body)
	}
}

func TestAStoppedGatewayIsGoneAndItsAddressIsFree(t *testing.T) {
	for _, start := range []func(testgateway.Config) (*testgateway.Gateway, error){testgateway.Start, testgateway.StartProcess} {
		g, err := testgateway.Start(testgateway.Config{Site: "respond first"})
		require.NoError(t, err)
		require.NoError(t, g.Stop())
		_, err = http.Get(g.URL())
		require.Error(t, err)
		again, err := start(testgateway.Config{Site: "respond second", Address: g.Address()})
		require.NoError(t, err)
		_, body := get(t, g.URL())
		require.Equal(t, "second", body)
		require.NoError(t, again.Stop())
	}
}

func TestAProcessCanBeKilled(t *testing.T) {
	folder := t.TempDir()
	g, err := testgateway.StartProcess(testgateway.Config{Site: "respond here", Storage: folder, Log: filepath.Join(folder, "log")})
	require.NoError(t, err)
	_, body := get(t, g.URL())
	require.Equal(t, "here", body)
	g.Kill()
	_, err = http.Get(g.URL())
	require.Error(t, err)
	log, err := os.ReadFile(filepath.Join(folder, "log"))
	require.NoError(t, err)
	require.Contains(t, string(log), "handled request")
}

func TestASiteAnswersForItsHostUnlessToldOtherwise(t *testing.T) {
	for _, anyHost := range []bool{false, true} {
		g, err := testgateway.Start(testgateway.Config{Site: "respond here", AnyHost: anyHost})
		require.NoError(t, err)
		r, err := http.NewRequest(http.MethodGet, g.URL(), nil)
		require.NoError(t, err)
		r.Host = "elsewhere.example"
		response, err := http.DefaultTransport.RoundTrip(r)
		require.NoError(t, err)
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, anyHost, string(body) == "here")
		require.NoError(t, g.Stop())
	}
}

func TestAMistakeInTheSiteIsReported(t *testing.T) {
	for _, start := range []func(testgateway.Config) (*testgateway.Gateway, error){testgateway.Start, testgateway.StartProcess} {
		_, err := start(testgateway.Config{Site: "no_such_directive"})
		require.ErrorContains(t, err, "no_such_directive")
	}
}

func TestPortsInARow(t *testing.T) {
	port, err := testgateway.FreePorts(3)
	require.NoError(t, err)
	require.Less(t, port+2, 32768, "from here on Linux gives ports to connections")
	for i := range 3 {
		listener, err := net.Listen("tcp", "localhost:"+strconv.Itoa(port+i))
		require.NoError(t, err)
		defer listener.Close()
	}
}
