// snippet:check
//go:build ignore

package main

// snippet:end

// snippet:doc https://pkg.go.dev/testing/quick testing/quick
// snippet:needs Go 1.23
// snippet:into Put it below the package clause of a _test.go file: go test
// snippet:prints PASS

import (
	"encoding/hex"
	"slices"
	"testing"
	"testing/quick"
)

func TestHexRoundTrip(t *testing.T) {
	roundTrip := func(data []byte) bool {
		decoded, err := hex.DecodeString(hex.EncodeToString(data))
		return err == nil && slices.Equal(decoded, data)
	}
	if err := quick.Check(roundTrip, &quick.Config{MaxCount: 500}); err != nil {
		t.Error(err) // names the input that broke it
	}
}

func TestSortedIsOrderedAndAsLong(t *testing.T) {
	sorted := func(in []int) bool {
		out := slices.Sorted(slices.Values(in))
		return slices.IsSorted(out) && len(out) == len(in)
	}
	if err := quick.Check(sorted, nil); err != nil {
		t.Error(err)
	}
}

// snippet:check
func main() {
	testing.Main(func(_, _ string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: "TestHexRoundTrip", F: TestHexRoundTrip}, {Name: "TestSortedIsOrderedAndAsLong", F: TestSortedIsOrderedAndAsLong}}, nil, nil)
}
