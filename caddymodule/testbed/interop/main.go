// Command interop logs published OAuth clients in at published identity
// providers through the gateway (`make interop`): every pair logs in, reads the
// user info, refreshes and logs out, without callback and with it, where the gateway
// is once a confidential and once a public client of the provider. The tests run the part
// of it that needs no downloads besides npm's.
//
// Clients and providers are unmodified. Those for Node are in the folder clients;
// Maven fetches the others.
package main

import (
	"context"
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
	for name, rows := range map[string]func(context.Context) []Cell{"by metadata": ByMetadata, "by URL": ByURL} {
		if contains(name, *registered) && contains(metadataIdP, *idps) {
			fmt.Fprintf(os.Stderr, "%s ...\n", name)
			cells = append(cells, slices.DeleteFunc(rows(ctx), func(c Cell) bool { return !contains(c.Client, *clients) })...)
		}
	}
	Print(os.Stdout, cells)
	if slices.ContainsFunc(cells, func(cell Cell) bool { return !cell.Passed() && !cell.NotRun() }) {
		os.Exit(1)
	}
}

func contains(name, part string) bool {
	return strings.Contains(strings.ToLower(name), strings.ToLower(part))
}
