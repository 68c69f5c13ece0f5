package accesstoken_test

import (
	"testing"

	"go.uber.org/goleak"
)

// Keys are fetched, and issuers asked, in goroutines of their own.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
