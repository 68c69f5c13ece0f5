// Package must is for the steps of tests that lead up to what they test.
package must

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Have is what a call gives, and ends the test unless it could: must.Have(url.Parse(raw))(t).
func Have[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		require.NoError(t, err)
		return value
	}
}
