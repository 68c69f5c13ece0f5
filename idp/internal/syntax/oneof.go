package syntax

import (
	"fmt"
	"slices"
)

// CheckOneOf checks that an option has one of some values, or none.
func CheckOneOf[S ~string](option string, value S, known ...S) error {
	if value == "" || slices.Contains(known, value) {
		return nil
	}
	last := len(known) - 1
	words := string(known[0])
	for _, word := range known[1:last] {
		words += ", " + string(word)
	}
	return fmt.Errorf("%s %s is unknown; use %s or %s", option, value, words, known[last])
}
