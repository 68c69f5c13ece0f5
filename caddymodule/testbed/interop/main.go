// Command interop logs published OAuth clients in at published identity
// providers through the gateway (`make interop`): every pair logs in, reads the
// user info, refreshes and logs out, without callback and with it, where the gateway
// is once a confidential and once a public client of the provider. Then it attacks the gateway in front of a
// provider that checks nothing. The tests run the part of it that needs no
// downloads besides npm's.
//
// Clients and providers are unmodified. Those for Node are in the folder clients;
// Maven fetches the others.
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
)

func main() {
	idps := flag.String("idp", "", "only providers whose name contains `text`")
	clients := flag.String("client", "", "only clients whose name contains `text`")
	registered := flag.String("registration", "", "only registrations whose name contains `text`")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	var chosen []Client
	for _, client := range Clients() {
		if contains(client.Name, *clients) {
			chosen = append(chosen, client)
		}
	}
	var registrations []Registration
	for _, registration := range Registrations() {
		if contains(registration.Name, *registered) {
			registrations = append(registrations, registration)
		}
	}
	standard := slices.DeleteFunc(slices.Clone(chosen), func(c Client) bool { return !c.standard })
	var cells []Cell
	for _, idp := range IdPs() {
		if !contains(idp.Name, *idps) || len(registrations) == 0 || ctx.Err() != nil {
			continue
		}
		fmt.Fprintf(os.Stderr, "%s ...\n", idp.Name)
		able := chosen
		if idp.hinted {
			able = standard
		}
		cells = append(cells, Rows(ctx, idp, registrations, able)...)
	}
	for _, r := range recipes() {
		if idp := recipeIdP(r, false); contains(idp.Name, *idps) && *registered == "" && ctx.Err() == nil {
			fmt.Fprintf(os.Stderr, "%s ...\n", idp.Name)
			cells = append(cells, Rows(ctx, idp, asRecipe(), standard)...)
		}
	}
	if contains("by metadata", *registered) && contains(metadataIdP, *idps) {
		fmt.Fprintln(os.Stderr, "by metadata ...")
		for _, cell := range ByMetadata(ctx) {
			if contains(cell.Client, *clients) {
				cells = append(cells, cell)
			}
		}
	}
	if contains("by URL", *registered) && contains(metadataIdP, *idps) {
		fmt.Fprintln(os.Stderr, "by URL ...")
		for _, cell := range ByURL(ctx) {
			if contains(cell.Client, *clients) {
				cells = append(cells, cell)
			}
		}
	}
	Print(os.Stdout, cells)
	failed := slices.ContainsFunc(cells, func(cell Cell) bool { return !cell.Passed() && !cell.NotRun() })
	if *idps == "" && *clients == "" && *registered == "" && !attack(ctx) {
		failed = true
	}
	if failed {
		os.Exit(1)
	}
}

// attack prints the hostile run and says whether everything was rejected.
func attack(ctx context.Context) bool {
	fmt.Println("Attacks on the gateway in front of auth0-simulator, which checks nothing:")
	attacks, err := Hostile(ctx)
	allRejected := err == nil || errors.Is(err, ErrUnavailable)
	for _, a := range attacks {
		outcome := "rejected"
		if !a.Rejected {
			outcome, allRejected = "NOT REJECTED: "+a.Detail, false
		}
		fmt.Printf("  %-58s %s\n", a.Name, outcome)
	}
	if err != nil {
		fmt.Println("  stopped:", err)
	}
	return allRejected
}

func contains(name, part string) bool {
	return strings.Contains(strings.ToLower(name), strings.ToLower(part))
}
