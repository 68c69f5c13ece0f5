// Command demo does what an application does with the gateway: it logs a user
// in with PKCE, reads who that is, and has a message taken apart into text and
// code. It needs a running gateway with the development identity provider
// (`make run`), whose login page it fills in.
package main

import (
	"cmp"
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"regexp"
	"strings"
	"syscall"
	"time"

	"golang.org/x/oauth2"
)

//go:embed message.txt
var message string

// redirectURI is where the browser stops: an application would listen there (RFC 8252
// section 7.3).
const redirectURI = "http://127.0.0.1:61234/callback"

func main() {
	gateway := flag.String("gateway", "http://localhost:8080", "`URL` of the gateway")
	clientID := flag.String("client", "dev-native", "client `id`, registered with a loopback redirect URI")
	username := flag.String("user", "ada", "`name` to choose on the development login page")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	err := run(ctx, os.Stdout, strings.TrimRight(*gateway, "/"), *clientID, *username)
	if errors.Is(err, syscall.ECONNREFUSED) {
		err = fmt.Errorf("%w\nNothing listens there. Is the gateway running at %s? Start it with: make run", err, *gateway)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, gateway, clientID, username string) error {
	fmt.Fprintf(out, "Logging in at %s as %s\n", gateway, username)
	client, err := logIn(ctx, out, gateway, clientID, username)
	if err != nil {
		return err
	}
	user, err := ask(ctx, client, http.MethodGet, gateway+"/userinfo", "")
	if err != nil {
		return fmt.Errorf("reading the user info: %w", err)
	}
	segments, err := ask(ctx, client, http.MethodPost, gateway+"/machine_learning/text/technical_language/parsers/segmentation?classify=true", message)
	if err != nil {
		return fmt.Errorf("segmenting the message: %w", err)
	}
	fmt.Fprintf(out, "\nThe user\n%s\nThe message\n%s", user, segments)
	return nil
}

// logIn runs the authorization code flow with PKCE (RFC 7636) as a public native client, and
// tries what somebody could who has read a code on its way. The client that it returns
// sends the access token.
func logIn(ctx context.Context, out io.Writer, gateway, clientID, username string) (*http.Client, error) {
	config := oauth2.Config{
		ClientID:    clientID,
		RedirectURL: redirectURI,
		Scopes:      []string{"openid", "profile", "email", "offline_access"},
		Endpoint:    oauth2.Endpoint{AuthURL: gateway + "/authorize", TokenURL: gateway + "/oauth/token", AuthStyle: oauth2.AuthStyleInParams},
	}
	state, verifier := rand.Text(), oauth2.GenerateVerifier()
	visited, err := browse(ctx, config.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier),
		oauth2.SetAuthURLParam("audience", "https://api.example/"), oauth2.SetAuthURLParam("response_mode", "query")), username)
	if err != nil {
		return nil, fmt.Errorf("logging in: %w", err)
	}
	var idpCode string // with a callback the gateway replaces it on the way to the app
	for i, page := range visited {
		fmt.Fprintf(out, "  %d  %s", i+1, page.Host+page.Path)
		switch code := page.Query().Get("code"); {
		case code == "":
		case idpCode == "":
			idpCode = code
			fmt.Fprintf(out, "   with the identity provider's code (%d characters)", len(code))
		default:
			fmt.Fprintf(out, "   the app gets a sealed code (%d characters)", len(code))
		}
		fmt.Fprintln(out)
	}
	response := visited[len(visited)-1].Query()
	code := response.Get("code")
	switch {
	case response.Get("error") != "":
		return nil, fmt.Errorf("the login was rejected: %s: %s", response.Get("error"), response.Get("error_description"))
	case response.Get("state") != state:
		return nil, errors.New("the state of the response is not the state of the request: the response belongs to another login")
	case code != idpCode:
		for _, theft := range []struct{ name, code, verifier string }{
			{"the identity provider's own code", idpCode, verifier},
			{"the sealed code with the verifier of another login", code, oauth2.GenerateVerifier()},
		} {
			_, err := config.Exchange(ctx, theft.code, oauth2.VerifierOption(theft.verifier))
			rejected, ok := errors.AsType[*oauth2.RetrieveError](err)
			if !ok {
				return nil, fmt.Errorf("trying %s: the gateway did not reject it: %w", theft.name, cmp.Or(err, errors.New("it handed out a token")))
			}
			fmt.Fprintf(out, "  exchange of %s: rejected, %s\n", theft.name, rejected.ErrorCode)
		}
	}
	token, err := config.Exchange(ctx, code, oauth2.VerifierOption(verifier))
	if err != nil {
		return nil, fmt.Errorf("exchanging the code: %w", err)
	}
	fmt.Fprintf(out, "  exchange of the app's code with its verifier: %s token, valid until %s\n", token.Type(), token.Expiry.Format(time.TimeOnly))
	return config.Client(ctx, token), nil
}

var (
	pageForm    = regexp.MustCompile(`<form method="post" action="([^"]+)"`)
	hiddenField = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)"`)
	pageText    = regexp.MustCompile(`(?s)<h1>(.*?)</h1>\s*<p>(.*?)</p>`)
)

// browse stands in for the user's browser: it keeps cookies, follows redirects, and sends the
// forms of the development login page and of response_mode form_post. It returns what it was sent to, up to the redirect URI.
func browse(ctx context.Context, address, username string) ([]*url.URL, error) {
	jar, _ := cookiejar.New(nil) // without options it cannot fail
	var visited []*url.URL
	client := &http.Client{Jar: jar, CheckRedirect: func(request *http.Request, _ []*http.Request) error {
		visited = append(visited, request.URL)
		if strings.HasPrefix(request.URL.String(), redirectURI) {
			return http.ErrUseLastResponse
		}
		return nil
	}}
	start, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	visited = append(visited, start)
	response, page, err := send(ctx, client, http.MethodGet, address, "", "")
	if err != nil {
		return nil, err
	}
	for range 2 {
		form := pageForm.FindStringSubmatch(page)
		if form == nil || response.StatusCode != http.StatusOK {
			break
		}
		action, err := response.Request.URL.Parse(html.UnescapeString(form[1]))
		if err != nil {
			return nil, err
		}
		fields := url.Values{"username": {username}}
		for _, field := range hiddenField.FindAllStringSubmatch(page, -1) {
			fields.Set(field[1], html.UnescapeString(field[2]))
		}
		if fields.Has("code") {
			visited = append(visited, &url.URL{Host: action.Host, Path: action.Path, RawQuery: fields.Encode()})
		}
		if response, page, err = send(ctx, client, http.MethodPost, action.String(), "application/x-www-form-urlencoded", fields.Encode()); err != nil {
			return nil, err
		}
	}
	if response.StatusCode/100 == 3 {
		return visited, nil
	}
	if text := pageText.FindStringSubmatch(page); text != nil {
		page = text[1] + " " + text[2]
	}
	return nil, fmt.Errorf("%s responded %s: %.300s", response.Request.URL.Host, response.Status, strings.TrimSpace(page))
}

// ask sends a request of the application, and returns the response, which has to be a success.
func ask(ctx context.Context, client *http.Client, method, address, body string) (string, error) {
	response, content, err := send(ctx, client, method, address, "text/plain; charset=utf-8", body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %.300s", response.Status, content)
	}
	return content, err
}

func send(ctx context.Context, client *http.Client, method, address, mediaType, body string) (*http.Response, string, error) {
	request, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if err != nil {
		return nil, "", err
	}
	request.Header.Set("Accept", "text/html, text/plain, */*;q=0.5")
	if body != "" {
		request.Header.Set("Content-Type", mediaType)
	}
	response, err := client.Do(request)
	if failed, ok := errors.AsType[*url.Error](err); ok {
		return nil, "", failed.Err // without the URL, which may hold a code
	}
	defer response.Body.Close()
	content, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	return response, string(content), err
}
