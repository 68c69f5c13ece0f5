package markdown

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestScannerFindsPatches(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"fences in a hunk are its lines", "--- a\n+++ b\n@@ -1,3 +1,4 @@ func f()\n ```go\n-x\n+y\n+z\n ```\nText\n", []string{"@@ -1,3 +1,4 @@ func f()\n ```go\n-x\n+y\n+z\n ```\n"}},
		{"counts of one are left out", "@@ -1 +1 @@\n-```\n+~~~\n```\nx\n```\n", []string{"@@ -1 +1 @@\n-```\n+~~~\n", "x\n"}},
		{"an empty line is a context line", "@@ -1,2 +1,2 @@\n\n-a\n+b\nc\n", []string{"@@ -1,2 +1,2 @@\n\n-a\n+b\n"}},
		{"missing newline at the end", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\ntext", []string{"@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"}},
		{"a line that is none of the hunk's", "@@ -1,9 +1,9 @@\n-a\ntext\n```\nx\n```\n", []string{"@@ -1,9 +1,9 @@\n-a\n", "x\n"}},
		{"quoted", "> @@ -1 +1 @@\n> -a\n> +b\n> text\n", []string{"@@ -1 +1 @@\n-a\n+b\n"}},
		{"fenced", "```diff\n@@ -1 +1 @@\n-a\n+b\n```\n", []string{"@@ -1 +1 @@\n-a\n+b\n"}},
		{"not a header", "@@ -1 @@\n@@ -1,2 +3\n@@ - + @@\n", nil},
	} {
		require.Equal(t, test.want, contents(t, Scanner{Patches: true}, test.text), test.name)
	}
}
