package monitoring_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

// own matches the names of the plugin's metrics.
var own = regexp.MustCompile(`\bcaddy_(?:identity_gateway|require_token|technical_language)_\w+`)

// exposed are the plugin's metrics after at least one request of each kind.
func exposed(t *testing.T) map[string]*dto.MetricFamily {
	t.Helper()
	g := newGateway(t)
	g.run(everything(idp(t).URL))
	g.visit()
	families := g.scrape()
	maps.DeleteFunc(families, func(name string, _ *dto.MetricFamily) bool { return !own.MatchString(name) })
	return families
}

// labelsOf are the names of a metric's labels, sorted.
func labelsOf(family *dto.MetricFamily) []string {
	labels := []string{}
	for _, label := range family.GetMetric()[0].GetLabel() {
		labels = append(labels, label.GetName())
	}
	slices.Sort(labels)
	return labels
}

// query is an expression of the dashboard.
type query struct{ panel, expr string }

func dashboard(t *testing.T) (queries []query) {
	t.Helper()
	content, err := os.ReadFile("dashboard.json")
	require.NoError(t, err)
	var d struct {
		Panels []struct {
			ID      int
			Type    string
			Title   string
			GridPos struct{ H, W, X, Y int }
			Targets []struct{ RefID, Expr string }
		}
	}
	require.NoError(t, json.Unmarshal(content, &d))
	taken := make(map[[2]int]string)
	ids := make(map[int]bool)
	for _, panel := range d.Panels {
		require.False(t, ids[panel.ID], "id %d", panel.ID)
		ids[panel.ID] = true
		require.LessOrEqual(t, panel.GridPos.X+panel.GridPos.W, 24, panel.Title)
		for x := range panel.GridPos.W {
			for y := range panel.GridPos.H {
				cell := [2]int{panel.GridPos.X + x, panel.GridPos.Y + y}
				require.Empty(t, taken[cell], "%s covers another panel", panel.Title)
				taken[cell] = panel.Title
			}
		}
		require.Equal(t, panel.Type == "row", len(panel.Targets) == 0, panel.Title)
		for _, target := range panel.Targets {
			queries = append(queries, query{panel.Title, target.Expr})
		}
	}
	require.NotEmpty(t, queries)
	return queries
}

// withoutVariables fills in the dashboard's variables.
func withoutVariables(expr string) string {
	return strings.NewReplacer("$__rate_interval", "5m", "$instance", ".*", "$server", ".*").Replace(expr)
}

// selector matches a metric and its label matchers; grouping the labels of `by`.
var (
	selector  = regexp.MustCompile(`(caddy_\w+)(?:\{([^}]*)\})?`)
	matcher   = regexp.MustCompile(`(\w+)\s*(?:=~|!~|!=|=)\s*"`)
	grouping  = regexp.MustCompile(`\bby \(([^)]*)\)`)
	ofScrapes = []string{"instance", "job", "le"} // which Prometheus adds
)

// Whatever the dashboard and the alerts ask for, the gateway has.
func TestEveryQueryNamesMetricsAndLabelsThatExist(t *testing.T) {
	families := exposed(t)
	alerts, err := os.ReadFile("alerts.yml")
	require.NoError(t, err)
	queries := append(dashboard(t), query{"alerts.yml", string(alerts)})
	used := make(map[string]bool)
	for _, q := range queries {
		known := slices.Clone(ofScrapes)
		for _, found := range selector.FindAllStringSubmatch(q.expr, -1) {
			family := families[found[1]]
			for _, suffix := range []string{"_bucket", "_count", "_sum"} {
				if family == nil {
					family = families[strings.TrimSuffix(found[1], suffix)]
				}
			}
			require.NotNil(t, family, "%s: there is no %s", q.panel, found[1])
			used[family.GetName()] = true
			labels := append(labelsOf(family), ofScrapes...)
			for _, m := range matcher.FindAllStringSubmatch(found[2], -1) {
				require.Contains(t, labels, m[1], "%s: %s", q.panel, found[1])
			}
			known = append(known, labels...)
		}
		for _, by := range grouping.FindAllStringSubmatch(q.expr, -1) {
			for label := range strings.SplitSeq(by[1], ",") {
				require.Contains(t, known, strings.TrimSpace(label), q.panel)
			}
		}
	}
	for name := range families {
		require.True(t, used[name], "%s is neither in the dashboard nor in the alerts", name)
	}
}

// README's table is the reference: name, type and labels.
func TestTheReferenceListsEachMetric(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "README.md"))
	require.NoError(t, err)
	var documented []string
	for _, row := range regexp.MustCompile("(?m)^\\| `(caddy_\\w+)` \\| (\\w+) \\| ([^|]*) \\|").FindAllStringSubmatch(string(readme), -1) {
		labels := strings.Fields(strings.NewReplacer("`", "", ",", "", "none", "").Replace(row[3]))
		slices.Sort(labels)
		documented = append(documented, fmt.Sprint(row[1], " ", row[2], " ", labels))
	}
	var want []string
	for name, family := range exposed(t) {
		want = append(want, fmt.Sprint(name, " ", strings.ToLower(family.GetType().String()), " ", labelsOf(family)))
	}
	require.ElementsMatch(t, want, documented)
}

func TestCountersSurviveAReloadAndGaugesAreNeverStale(t *testing.T) {
	g := newGateway(t)
	first, second := idp(t), idp(t)
	g.run(everything(first.URL))
	g.visit()
	value := func(name string, want map[string]string) (total float64) {
		for _, metric := range g.scrape()[name].GetMetric() {
			labels := make(map[string]string)
			for _, label := range metric.GetLabel() {
				labels[label.GetName()] = label.GetValue()
			}
			matches := true
			for label, value := range want {
				matches = matches && labels[label] == value
			}
			if matches {
				total += metric.GetCounter().GetValue() + metric.GetGauge().GetValue()
			}
		}
		return total
	}
	const requests, known = "caddy_identity_gateway_requests_total", "caddy_identity_gateway_discovery_known"
	confusions := map[string]string{"server": "srv0", "endpoint": "authorize", "outcome": "path_confusion"}
	before := value(requests, confusions)
	require.GreaterOrEqual(t, before, 1.0)
	require.Equal(t, 1.0, value(known, map[string]string{"issuer": first.URL}))

	g.reload(everything(second.URL))
	require.Equal(t, before, value(requests, confusions), "a reload resets no counter")
	g.visit()
	require.Equal(t, before+1, value(requests, confusions))
	require.Zero(t, value(known, map[string]string{"issuer": first.URL}), "its gateway is gone")
	require.Equal(t, 1.0, value(known, map[string]string{"issuer": second.URL}))
}

// tool finds one of Prometheus' own programs.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skip(name, "is not installed (Debian: apt install prometheus)")
	}
	return path
}

func TestTheAlertsFireWhenTheyShould(t *testing.T) {
	promtool := tool(t, "promtool")
	for _, arguments := range [][]string{{"check", "rules", "alerts.yml"}, {"test", "rules", "alerts_test.yml"}} {
		out, err := exec.Command(promtool, arguments...).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
}

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
