package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMutantsHaveOneMistakeInAShownLine(t *testing.T) {
	var got []string
	for _, m := range mutantsOf("# snippet:prints 3 == 3\nimport os\n# a == b\nif a <= b and c:\n    count += 1\n    return count  # one and all\n# snippet:check\nassert a == b\n# snippet:end\nprint(a)\n") {
		got = append(got, m.old+" | "+m.new)
		require.Contains(t, m.source, "assert a == b")
	}
	require.Equal(t, []string{
		"if a <= b and c: | if a < b and c:", "if a <= b and c: | if a <= b or c:", "count += 1 | ", "print(a) | ",
	}, got)
}
