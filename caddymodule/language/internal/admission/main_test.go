package admission

import (
	"testing"

	"go.uber.org/goleak"
)

// Requests wait in goroutines of their own.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
