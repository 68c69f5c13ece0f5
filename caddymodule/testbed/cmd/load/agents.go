package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/caddyprocess"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/loadtest"
)

// agents has agents register and log in at protect_mcp, and prints what that costs and
// leaves behind. Each login is of another agent, with a user who reads the consent page
// for two seconds.
type agents struct {
	registrations, logins int // in all
	rate                  int // logins a second
}

func (a *agents) run() error {
	address, err := testgateway.FreeAddress()
	if err != nil {
		return err
	}
	base := "http://" + address
	idp, err := testidp.Start(testidp.Behavior{
		Clients:         []testidp.Client{{ID: "gateway", RedirectURIs: []string{base + "/oauth/callback"}, Secret: "s3cret", Auth: testidp.ClientSecretPost}},
		AnySecretMethod: true, SingleUse: true, RefreshTokens: true, Resources: testidp.IgnoresResource, ResponseModes: []string{"query"},
	})
	if err != nil {
		return err
	}
	defer idp.Close()
	server, err := caddyprocess.Start(caddyprocess.Config{Caddyfile: fmt.Sprintf(`{
	%s
	auto_https off
	log {
		level ERROR
	}
}
%s {
	protect_mcp %s/mcp %s {
		client gateway s3cret
	}
	respond "the MCP server"
}
`, caddyprocess.AdminOption, base, base, idp.IssuerURL()), Stderr: os.Stderr})
	if err != nil {
		return err
	}
	defer server.Close()
	client := &http.Client{
		Transport:     &http.Transport{MaxIdleConnsPerHost: 64},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	c := &agentCalls{client, base}
	if err := c.mcp(context.Background()); err != nil { // the first one has everything set up
		return err
	}
	fmt.Printf("%-24s %10s %10s %12s %12s %10s\n", "", "in all", "failed", "CPU each", "p99", "memory")
	if err := a.measure(server, "at first", 0, nil); err != nil {
		return err
	}
	if err := a.measure(server, "registrations", a.registrations, func(each func(func() error)) {
		var group sync.WaitGroup
		for range 16 {
			group.Go(func() {
				for range a.registrations / 16 {
					each(func() error { _, err := c.register(context.Background()); return err })
				}
			})
		}
		group.Wait()
	}); err != nil {
		return err
	}
	return a.measure(server, fmt.Sprintf("logins, %d a second", a.rate), a.logins, func(each func(func() error)) {
		var group sync.WaitGroup
		begun := time.Now()
		for n := range a.logins {
			time.Sleep(time.Until(begun.Add(time.Duration(n) * time.Second / time.Duration(a.rate))))
			group.Go(func() { each(func() error { return c.mcp(context.Background()) }) })
		}
		group.Wait()
	})
}

// measure prints a row.
func (a *agents) measure(server *caddyprocess.Process, name string, count int, run func(each func(func() error))) error {
	var mu sync.Mutex
	var took loadtest.Latencies
	var failures []error
	before, err := caddyprocess.CPUTime(server.PID())
	if err != nil {
		return err
	}
	if run != nil {
		run(func(do func() error) {
			begun := time.Now()
			err := do()
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failures = append(failures, err)
			}
			took = append(took, time.Since(begun))
		})
	}
	after, err := caddyprocess.CPUTime(server.PID())
	if err != nil {
		return err
	}
	memory, err := server.Memory()
	if err != nil {
		return err
	}
	var cpu, p99 time.Duration
	if count > 0 {
		slices.Sort(took)
		cpu, p99 = (after-before)/time.Duration(count), took.P99()
	}
	fmt.Printf("%-24s %10d %10d %12v %12v %7d MB\n", name, count, len(failures), cpu.Round(time.Microsecond), p99.Round(time.Millisecond), memory>>20)
	if len(failures) > 0 {
		return failures[0]
	}
	return nil
}

// agentCalls is what an agent, and the browser of its user, ask the gateway.
type agentCalls struct {
	client *http.Client
	base   string
}

const agentRedirect = "http://127.0.0.1:33418/callback"

func (c *agentCalls) register(ctx context.Context) (clientID string, err error) {
	var registered struct {
		ClientID string `json:"client_id"`
	}
	err = c.post(ctx, "/oauth/register", "application/json", `{"client_name":"Agent","redirect_uris":["`+agentRedirect+`"]}`, &registered)
	return registered.ClientID, err
}

// mcp logs in and calls the server.
func (c *agentCalls) mcp(ctx context.Context) error {
	token, err := c.login(ctx)
	if err != nil {
		return err
	}
	response, _, err := c.get(ctx, c.base+"/mcp", "Authorization", "Bearer "+token)
	if err == nil && response.StatusCode != http.StatusOK {
		err = errors.New("the server: " + response.Status)
	}
	return err
}

var transactionField = regexp.MustCompile(`name="transaction" value="([^"]+)"`)

func (c *agentCalls) login(ctx context.Context) (token string, err error) {
	clientID, err := c.register(ctx)
	if err != nil {
		return "", err
	}
	verifier := oauth2.GenerateVerifier()
	query := url.Values{
		"response_type": {"code"}, "client_id": {clientID}, "redirect_uri": {agentRedirect}, "state": {rand.Text()}, "resource": {c.base + "/mcp"},
		"code_challenge": {oauth2.S256ChallengeFromVerifier(verifier)}, "code_challenge_method": {"S256"},
	}
	page, content, err := c.get(ctx, c.base+"/authorize?"+query.Encode())
	form := transactionField.FindStringSubmatch(content)
	if err != nil || form == nil {
		return "", fmt.Errorf("there is no consent page: %w %s", err, content)
	}
	cookie, _, _ := strings.Cut(page.Header.Get("Set-Cookie"), ";")
	time.Sleep(2100 * time.Millisecond) // Allow works after two seconds
	allow, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+"/oauth/consent", strings.NewReader(url.Values{"transaction": {form[1]}, "decision": {"allow"}}.Encode()))
	if err != nil {
		return "", err
	}
	allow.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	allow.Header.Set("Cookie", cookie)
	at, err := c.client.Do(allow)
	for range 2 { // the IdP and the callback
		if err != nil {
			return "", err
		}
		at.Body.Close()
		at, _, err = c.get(ctx, at.Header.Get("Location"), "Cookie", cookie+"; "+testidp.UserCookie(rand.Text()).String())
	}
	if err != nil {
		return "", err
	}
	back, err := url.Parse(at.Header.Get("Location"))
	if err != nil {
		return "", err
	}
	var answer struct {
		AccessToken string `json:"access_token"`
	}
	err = c.post(ctx, "/oauth/token", "application/x-www-form-urlencoded", url.Values{
		"grant_type": {"authorization_code"}, "client_id": {clientID}, "redirect_uri": {agentRedirect}, "code": {back.Query().Get("code")}, "code_verifier": {verifier},
	}.Encode(), &answer)
	return answer.AccessToken, err
}

func (c *agentCalls) get(ctx context.Context, address string, header ...string) (*http.Response, string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, "", err
	}
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := c.client.Do(request)
	if err != nil {
		return nil, "", err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	return response, string(content), err
}

func (c *agentCalls) post(ctx context.Context, path, contentType, body string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", contentType)
	response, err := c.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode/100 != 2 {
		err = fmt.Errorf("%s: %s %s", path, response.Status, content)
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(content, into)
}
