// Command demo does what an application does with the gateway: it logs a user
// in with PKCE, reads who that is, and has a message taken apart into text and
// code. It needs a running gateway with the development identity provider
// (`make run`).
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"time"
)

//go:embed message.md
var exampleMessage string

func main() {
	var gateway gatewayClient
	flag.StringVar(&gateway.url, "gateway", "http://localhost:8080", "`URL` of the gateway")
	flag.StringVar(&gateway.clientID, "client", "dev-native", "client `id`, registered with a loopback redirect URI")
	flag.StringVar(&gateway.audience, "audience", "https://api.example/", "`API` that the access token is for")
	username := flag.String("user", "ada", "`name` to choose on the development login page")
	messageFile := flag.String("message", "", "`file` with the message to segment (default: a built-in one)")
	flag.Parse()

	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := run(ctx, os.Stdout, gateway, *username, *messageFile); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", explain(err, gateway.url))
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, gateway gatewayClient, username, messageFile string) error {
	gateway.url = strings.TrimRight(gateway.url, "/")
	message := exampleMessage
	if messageFile != "" {
		content, err := os.ReadFile(messageFile)
		if err != nil {
			return fmt.Errorf("reading the message: %w", err)
		}
		message = string(content)
	}

	fmt.Fprintf(out, "Logging in at %s as %s\n", gateway.url, username)
	login, err := gateway.logIn(ctx, username)
	if err != nil {
		return err
	}
	printLogin(out, login)

	user, err := gateway.userInfo(ctx, login.token)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "\nThe user")
	printUser(out, user)

	segments, err := gateway.segment(ctx, message)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\nThe message: %s\n", count(len(segments), "segment"))
	printSegments(out, segments)
	return nil
}

func printLogin(out io.Writer, login finishedLogin) {
	for i, p := range login.visited {
		fmt.Fprintf(out, "  %d  %s", i+1, p.address)
		switch {
		case p.code == "":
		case len(login.attempts) > 0 && i == len(login.visited)-1:
			fmt.Fprintf(out, "   the app gets a sealed code (%d characters)", len(p.code))
		default:
			fmt.Fprintf(out, "   with the identity provider's code (%d characters)", len(p.code))
		}
		fmt.Fprintln(out)
	}
	for _, a := range login.attempts {
		fmt.Fprintf(out, "  exchange of %s: rejected, %s\n", a.name, a.rejection)
	}
	fmt.Fprintf(out, "  exchange of the app's code with its verifier: %s token, valid until %s\n",
		login.token.Type(), login.token.Expiry.Format(time.TimeOnly))
}

// explain adds what to do to the errors that everybody meets.
func explain(err error, gatewayURL string) string {
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Sprintf("%v\nNothing listens there. Is the gateway running at %s? Start it with: make run", err, gatewayURL)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("%v\nThe login was not finished within a minute.", err)
	}
	return err.Error()
}
