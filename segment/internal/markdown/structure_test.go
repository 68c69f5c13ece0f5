package markdown

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestIsStructure(t *testing.T) {
	for line, want := range map[string]bool{
		"# Heading": true, "#include <stdio.h>": false, "#": true,
		"- item": true, "-1": false, "--help": false, "--- a/file.go": false, "---": true, "+++ b/file.go": false, "+++": true,
		"* item": true, "*p = 1;": false, "1. item": true, "1.5": false, "2) item": false,
		"| a | b |": true, "--- | ---": true, ":--- | ---:": false,
		"> quoted": true, "<p align=\"center\">": true, "<!-- comment -->": true, "<- x": false,
		"[link]: https://example.org": true, "![image](x.png)": true, "!x": false,
		":::{note}": true, "::std": false, "  # Heading": true, "    <li>": false, "\t- item": false, "": false, "\t": false, "words": false,
	} {
		require.Equal(t, want, IsStructure(line), "%q", line)
	}
}
