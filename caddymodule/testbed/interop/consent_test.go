package main

import (
	"context"
	"errors"
	"flag"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var all = flag.Bool("all", false, "try what takes minutes, too")

// The consent page, answered by people and by those who want them to answer unseen.
func TestTheConsentPageInABrowser(t *testing.T) {
	if !*all {
		t.Skip("make interop tries this")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	results, err := Consent(ctx)
	if errors.Is(err, ErrUnavailable) {
		t.Skip(err)
	}
	for _, result := range results {
		t.Run(result.Step, func(t *testing.T) { require.True(t, result.OK, result.Detail) })
	}
	require.NoError(t, err)
	require.Len(t, results, 21)
}
