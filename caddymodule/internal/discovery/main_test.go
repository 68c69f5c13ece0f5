package discovery

import (
	"testing"

	"go.uber.org/goleak"
)

// Metadata is fetched in a goroutine of its own.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
