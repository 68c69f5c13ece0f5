package monitoring_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

// Prometheus itself scrapes the gateway, loads the alerts, and answers each query of
// the dashboard.
func TestPrometheusAnswersTheDashboard(t *testing.T) {
	program := tool(t, "prometheus")
	g := newGateway(t)
	g.run(everything(idp(t).URL) + "\nmetrics /metrics")
	p := startPrometheus(t, program, g.address)
	for _, q := range dashboard(t) {
		require.EventuallyWithT(t, func(c *assert.CollectT) {
			g.visit()
			var result struct{ Result []any }
			p.get(c, "query?query="+url.QueryEscape(withoutVariables(q.expr)), &result)
			assert.NotEmpty(c, result.Result, q.expr)
		}, 30*time.Second, 100*time.Millisecond, q.panel)
	}
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	questions := regexp.MustCompile("(?s)```text\n(.*?)```").FindSubmatch(readme)
	require.NotNil(t, questions)
	for query := range strings.Lines(string(questions[1])) {
		require.EventuallyWithT(t, func(c *assert.CollectT) {
			g.visit()
			var result struct{ Result []any }
			p.get(c, "query?query="+url.QueryEscape(query), &result)
			assert.NotEmpty(c, result.Result, query)
		}, 30*time.Second, 100*time.Millisecond)
	}
	require.EventuallyWithT(t, func(c *assert.CollectT) {
		var rules struct {
			Groups []struct {
				Rules []struct{ Name, Health, State string }
			}
		}
		p.get(c, "rules", &rules)
		assert.Len(c, rules.Groups, 2)
		for _, group := range rules.Groups {
			for _, rule := range group.Rules {
				assert.Equal(c, "ok", rule.Health, rule.Name)
				if rule.Name != "PathConfusionAttempts" { // of which there were many by now
					assert.NotEqual(c, "firing", rule.State, rule.Name)
				}
			}
		}
	}, 30*time.Second, 100*time.Millisecond)
}

// prometheus is a running Prometheus.
type prometheus struct{ url string }

// startPrometheus has Prometheus scrape target every second.
func startPrometheus(t *testing.T, program, target string) *prometheus {
	t.Helper()
	address := testgateway.NewAddress(t)
	folder := t.TempDir()
	alerts, err := filepath.Abs("alerts.yml")
	require.NoError(t, err)
	config := filepath.Join(folder, "prometheus.yml")
	require.NoError(t, os.WriteFile(config, fmt.Appendf(nil, `global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: [%q]
scrape_configs: [{job_name: gateway, static_configs: [{targets: [%q]}]}]
`, alerts, target), 0o600))
	var log bytes.Buffer
	command := exec.Command(program, "--config.file="+config, "--storage.tsdb.path="+filepath.Join(folder, "data"), "--web.listen-address="+address)
	command.Stdout, command.Stderr = &log, &log
	require.NoError(t, command.Start())
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
		if t.Failed() {
			t.Log(log.String())
		}
	})
	return &prometheus{"http://" + address + "/api/v1/"}
}

// get asks Prometheus' API.
func (p *prometheus) get(c *assert.CollectT, query string, into any) {
	response, err := http.Get(p.url + query)
	require.NoError(c, err)
	defer response.Body.Close()
	var envelope struct {
		Status, Error string
		Data          json.RawMessage
	}
	require.NoError(c, json.NewDecoder(response.Body).Decode(&envelope))
	require.Equal(c, "success", envelope.Status, envelope.Error)
	require.NoError(c, json.Unmarshal(envelope.Data, into))
}
