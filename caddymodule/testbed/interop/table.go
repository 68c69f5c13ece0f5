package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Print writes the cells as a Markdown table, and below it what did not pass.
func Print(out io.Writer, cells []Cell) {
	type row struct{ idp, registration string }
	type column struct {
		row
		client string
	}
	var rows []row
	var clients []string
	byName := make(map[column]Cell)
	for _, cell := range cells {
		at := row{cell.IdP, cell.Registration}
		rows, clients = appendNew(rows, at), appendNew(clients, cell.Client)
		byName[column{at, cell.Client}] = cell
	}
	fmt.Fprintf(out, "| | | %s |\n|---|---|%s\n", strings.Join(clients, " | "), strings.Repeat("---|", len(clients)))
	for _, row := range rows {
		fmt.Fprintf(out, "| %s | %s |", row.idp, row.registration)
		for _, client := range clients {
			summary := "-" // the client is not for this provider
			if cell, ok := byName[column{row, client}]; ok {
				summary = cell.summary()
			}
			fmt.Fprintf(out, " %s |", summary)
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintln(out)
	for _, cell := range cells {
		if cell.Err != nil {
			fmt.Fprintf(out, "%s (%s) x %s: %v\n", cell.IdP, cell.Registration, cell.Client, cell.Err)
		}
		for _, result := range cell.Results {
			if !result.OK || result.Detail != "" {
				fmt.Fprintf(out, "%s (%s) x %s, %s: %s\n", cell.IdP, cell.Registration, cell.Client, result.Step, result.Detail)
			}
		}
	}
}

func (c Cell) summary() string {
	switch {
	case errors.Is(c.Err, ErrUnavailable):
		return "not run"
	case c.Err != nil:
		return "FAILED"
	case c.Passed() && len(c.Lacks) > 0:
		return "passed; it has no " + strings.Join(c.Lacks, " and no ")
	case c.Passed():
		return "passed"
	}
	return "FAILED: " + strings.Join(c.failed(), ", ")
}

func appendNew[T comparable](list []T, value T) []T {
	if slices.Contains(list, value) {
		return list
	}
	return append(list, value)
}
