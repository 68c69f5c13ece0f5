// Command cases reads messages like those that users of other tools reported as misread, and prints which of them package
// segment misreads. It needs no corpus.
//
//	go run ./cmd/cases
package main

import (
	"fmt"
	"os"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation/cases"
)

func main() {
	if err := cases.Print(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "cases:", err)
		os.Exit(1)
	}
}
