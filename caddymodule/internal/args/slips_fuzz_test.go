package args

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// An error shows the name of a variable, and nothing else of a value, which may be a secret. A
// value that no person writes, such as a secret from a generator, is none.
func FuzzSlips(f *testing.F) {
	for _, seed := range [...]string{
		"env.CLIENT_ID", "$CLIENT_SECRET", "${CLIENT_SECRET}", "{env.CLIENT_SECRET", "{file./run/secrets/key", "{env.CLIENT_SECRET}", "<your-client-secret>", `"s3cr3t"`, "'s3cr3t'",
		"GOCSPX-1a2B3c4D5e6F7g8H9i0J", "wXx8Q~Kp.3fZ_r7-aB", "$2a$14$Zkx19XLiW6VYouLHR5NmfO", "https://idp.example/{tenant}", "s3cr3t{env.", `"`,
	} {
		f.Add(seed)
	}
	generated := regexp.MustCompile(`^[A-Za-z0-9+/=~_-]*$`)
	f.Fuzz(func(t *testing.T, value string) {
		err := checkSlip(value)
		if generated.MatchString(value) {
			require.NoError(t, err)
		}
		before, _, open := strings.Cut(value, "{env.")
		if err != nil && len(before) > 8 && open {
			require.NotContains(t, err.Error(), before)
		}
	})
}
