// Command cli logs in as command-line tools do: in the user's browser, with PKCE,
// and a listener on a free loopback port for the response (RFC 8252). Then it
// has the code in a file named and printed, which takes the access token. The
// token is never written to disk.
package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"runtime"
	"time"

	"golang.org/x/oauth2"
)

func main() {
	gateway := flag.String("gateway", cmp.Or(os.Getenv("ADDRESS"), "http://localhost:8080"), "`URL` of the gateway")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	if err := run(ctx, *gateway, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "cli:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, gateway, file string) error {
	if file == "" {
		return errors.New("name a file: cli <file>")
	}
	message, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	client, err := logIn(ctx, gateway)
	if err != nil {
		return fmt.Errorf("logging in: %w", err)
	}
	segments, err := segment(ctx, client, gateway, message)
	if err != nil {
		return fmt.Errorf("segmenting %s: %w", file, err)
	}
	fmt.Print(segments)
	return nil
}

// logIn returns a client that sends the user's access token.
func logIn(ctx context.Context, gateway string) (*http.Client, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	defer listener.Close()
	config := oauth2.Config{
		ClientID:    "cli",
		RedirectURL: "http://" + listener.Addr().String() + "/callback",
		Scopes:      []string{"profile"},
		Endpoint: oauth2.Endpoint{
			AuthURL:   gateway + "/authorize",
			TokenURL:  gateway + "/oauth/token",
			AuthStyle: oauth2.AuthStyleInParams,
		},
	}
	state, verifier := rand.Text(), oauth2.GenerateVerifier()
	authorize := config.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier), oauth2.SetAuthURLParam("audience", "https://api.example/"))
	fmt.Fprintf(os.Stderr, "Log in at\n\n  %s\n\n", authorize)
	_ = openBrowser(ctx, authorize) // the URL is on the screen, too

	response, err := receive(ctx, listener)
	if err != nil {
		return nil, err
	}
	switch {
	case response.Get("state") != state:
		return nil, errors.New("the response is not for this login: its state differs")
	case response.Get("iss") != gateway: // RFC 9207
		return nil, fmt.Errorf("the response is from %q, not from the gateway", response.Get("iss"))
	case response.Get("error") != "":
		return nil, fmt.Errorf("%s: %s", response.Get("error"), response.Get("error_description"))
	}
	token, err := config.Exchange(ctx, response.Get("code"), oauth2.VerifierOption(verifier))
	if err != nil {
		return nil, err
	}
	return config.Client(ctx, token), nil
}

// receive serves the redirect URI until the browser comes back to it.
func receive(ctx context.Context, listener net.Listener) (url.Values, error) {
	responses := make(chan url.Values, 1)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /callback", func(w http.ResponseWriter, r *http.Request) {
		select {
		case responses <- r.URL.Query():
		default: // only the first one counts
		}
		fmt.Fprintln(w, "You are logged in. Close this page and go back to the terminal.")
	})
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	select {
	case response := <-responses:
		return response, server.Shutdown(ctx) // the page is sent first
	case <-ctx.Done():
		return nil, errors.New("nobody logged in within three minutes")
	}
}

// openBrowser opens a URL in $BROWSER or the system's browser.
func openBrowser(ctx context.Context, address string) error {
	if browser := os.Getenv("BROWSER"); browser != "" {
		return exec.CommandContext(ctx, browser, address).Start()
	}
	switch runtime.GOOS {
	case "darwin":
		return exec.CommandContext(ctx, "open", address).Start()
	case "windows":
		return exec.CommandContext(ctx, "rundll32", "url.dll,FileProtocolHandler", address).Start()
	default:
		return exec.CommandContext(ctx, "xdg-open", address).Start()
	}
}

// segment has the gateway split the message and name the languages of its code.
func segment(ctx context.Context, client *http.Client, gateway string, message []byte) (string, error) {
	const path = "/machine_learning/text/technical_language/parsers/segmentation"
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, gateway+path+"?classify=true", bytes.NewReader(message))
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "text/plain; charset=utf-8")
	request.Header.Set("Accept", "text/plain")
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, 8<<20))
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", response.Status, body)
	}
	return string(body), err
}
