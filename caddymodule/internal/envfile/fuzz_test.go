package envfile

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// An error names a line and nothing that stands in it, which may be a secret; what is read
// stands in the file.
func FuzzParse(f *testing.F) {
	for _, seed := range [...]string{
		"CLIENT_ID=gateway\nexport CLIENT_SECRET=\"s3cr3t # and more\" # of the IdP\n", "SEALING_KEY='two\nlines'\n", "A=\"a\\\"b\"\nB=\n", "A= s3cr3t", "s3cr3t\n", "A=\"s3cr3t", "=\n", "\ufeffA=1\r\nB=2\r\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, content string) {
		variables, err := parse(strings.NewReader(content))
		if err != nil {
			require.Regexp(t, `^(line \d+ is not KEY=value|bufio\.Scanner: token too long)$`, err.Error())
			require.Nil(t, variables)
		}
		plain := strings.NewReplacer("\\", "", "\r", "") // of escapes, and of what ends lines
		for key, value := range variables {
			require.NotContains(t, key, " ")
			require.NotContains(t, key, "=")
			for line := range strings.Lines(value) {
				require.Contains(t, plain.Replace(content), plain.Replace(strings.TrimSuffix(line, "\n")))
			}
		}
	})
}
