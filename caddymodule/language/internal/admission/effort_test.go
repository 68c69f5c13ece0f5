package admission

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWorkOnShortLinesIsMoreThanOnProseOfTheSameSize(t *testing.T) {
	prose := strings.Repeat("The server listens on a port of its own, as the manual of this release says.\\n", 600)
	for name, tt := range map[string]struct {
		body  string
		short bool
	}{
		"nothing":                {"", true},
		"a question":             {`{"value":"It fails:\n\nfor i in range(3):\n    print(i)\n\nWhy?"}`, true},
		"prose":                  {prose, true},
		"one line":               {strings.Repeat("YWJj", 40<<10), true},
		"short lines":            {strings.Repeat(`a\n`, 20<<10), false},
		"short lines as text":    {strings.Repeat("a\n", 20<<10), false},
		"lines that end with CR": {strings.Repeat("a\r", 20<<10), false},
		"lines of escapes":       {strings.Repeat(`a\u000A`, 10<<10), false},
		"many texts":             {`["` + strings.Repeat(`$","`, 15<<10) + `"]`, false},
		"a conversation":         {strings.Repeat(`{"role":"user","content":"Good morning, shall we meet for lunch at noon?"},`, 30), true},
		"letters as escapes":     {strings.Repeat(`\u3042`, 5000), true},
		"twice as much prose":    {prose + prose, false},
	} {
		require.Equal(t, tt.short, Effort([]byte(tt.body)) <= Short, "%s: %d", name, Effort([]byte(tt.body)))
	}
}
