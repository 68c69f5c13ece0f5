// Command matrix logs published OAuth clients in at published identity
// providers through the gateway and prints which pair can do what.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/matrix"
)

func main() {
	idps := flag.String("idp", "", "only providers whose name contains `text`")
	clients := flag.String("client", "", "only clients whose name contains `text`")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	var chosen []matrix.Client
	for _, client := range matrix.Clients() {
		if contains(client.Name, *clients) {
			chosen = append(chosen, client)
		}
	}
	var cells []matrix.Cell
	for _, idp := range matrix.IdPs() {
		if !contains(idp.Name, *idps) || ctx.Err() != nil {
			continue
		}
		fmt.Fprintf(os.Stderr, "%s ...\n", idp.Name)
		cells = append(cells, matrix.Row(ctx, idp, chosen)...)
	}
	matrix.Print(os.Stdout, cells)
	failed := slices.ContainsFunc(cells, func(cell matrix.Cell) bool { return !cell.Passed() && !cell.NotRun() })
	if *idps == "" && *clients == "" && !attack(ctx) {
		failed = true
	}
	if failed {
		os.Exit(1)
	}
}

// attack prints the hostile run and says whether everything was refused.
func attack(ctx context.Context) bool {
	fmt.Println("Attacks on the gateway in front of auth0-simulator, which checks nothing:")
	attacks, err := matrix.Hostile(ctx)
	allRefused := err == nil || errors.Is(err, matrix.ErrUnavailable)
	for _, a := range attacks {
		outcome := "refused"
		if !a.Refused {
			outcome, allRefused = "NOT REFUSED: "+a.Detail, false
		}
		fmt.Printf("  %-58s %s\n", a.Name, outcome)
	}
	if err != nil {
		fmt.Println("  stopped:", err)
	}
	return allRefused
}

func contains(name, part string) bool {
	return strings.Contains(strings.ToLower(name), strings.ToLower(part))
}
