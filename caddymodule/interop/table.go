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
	var idps, clients []string
	byName := make(map[[2]string]Cell)
	for _, cell := range cells {
		if _, seen := byName[[2]string{cell.IdP, cell.Client}]; seen {
			continue
		}
		idps, clients = appendNew(idps, cell.IdP), appendNew(clients, cell.Client)
		byName[[2]string{cell.IdP, cell.Client}] = cell
	}
	fmt.Fprintf(out, "| | %s |\n|---|%s\n", strings.Join(clients, " | "), strings.Repeat("---|", len(clients)))
	for _, idp := range idps {
		fmt.Fprintf(out, "| %s |", idp)
		for _, client := range clients {
			fmt.Fprintf(out, " %s |", byName[[2]string{idp, client}].summary())
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintln(out)
	for _, cell := range cells {
		if cell.Err != nil {
			fmt.Fprintf(out, "%s x %s: %v\n", cell.IdP, cell.Client, cell.Err)
		}
		for _, result := range cell.Results {
			if !result.OK || result.Detail != "" {
				fmt.Fprintf(out, "%s x %s, %s: %s\n", cell.IdP, cell.Client, result.Step, result.Detail)
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
	var failed []string
	done := make(map[string]bool)
	for _, result := range c.Results {
		done[result.Step] = true
		if !result.OK {
			failed = append(failed, result.Step)
		}
	}
	for _, step := range Steps {
		if !done[step] && !slices.Contains(c.Lacks, step) {
			failed = append(failed, step)
		}
	}
	return "FAILED: " + strings.Join(failed, ", ")
}

func appendNew(list []string, value string) []string {
	for _, have := range list {
		if have == value {
			return list
		}
	}
	return append(list, value)
}
