package admission

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/identity-gateway/caddy-identity-gateway/segment/prompt"
)

// Else a flood of small bodies takes all processors while nobody counts their work. Bodies are 6 KB of one unit, as a
// message and in texts of some lengths.
func TestNothingIsMuchMoreWorkThanItsEffort(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const size = 6_000
	fill := func(before, unit, after string) string {
		return before + strings.TrimSuffix(strings.Repeat(unit, size/len(unit)), ",") + after
	}
	prose := fill(`{"value":"`, `The server listens on a port of its own, as the manual of this release says.\n`, `"}`)
	bodies := []string{
		fill(`{"messages":[`, `1,`, `]}`), fill(`{"messages":[`, `{},`, `]}`), fill(``, `{}`, ``), fill(`[`, `[[[],1],2],`, `]`),
		fill(``, `{"value":"$"}`, ``), fill(`{"input":[`, `{"arguments":"{\"a\":\"$\"}"},`, `]}`), fill(`{"input":[`, `{"arguments":"[[[["},`, `]}`),
		fill(`{`, `"params":{"arguments":1},`, `}`), fill(`{`, `"a b":"a b",`, `}`), fill(``, `{"a":`+strings.Repeat("[", 3000)+strings.Repeat("]", 3000)+"}", ``),
	}
	for _, unit := range []string{
		`$`, `{`, "`", `a `, `x=1;`, "```", `~~~\n`, "```py\\nx\\n```\\n", `<pre>x</pre>`, `\u003cpre>x`, `<code>x</code>`, `[code]x[/code]`, `{code}x{code}`, `{code}\n`, `=\n`, `\n`, `\r`, `x\r`, `x\u000a`, `> `, `- `, `    a\n\n`,
		`https://a.b/c `, `for i in x: print(i) `, `{#< b='<a b='htp://a.b/c #`, `@@ -1 +1 @@\n`, `&amp;`, `|a|b|\n`, `a\tb\tc\n`, `\u2028`, `\ud83d`, `python `,
	} {
		bodies = append(bodies, fill(`{"value":"`, unit, `"}`), fill(`{"input":[`, `"`+unit+`",`, `]}`))
		for _, length := range []int{16, 300} {
			bodies = append(bodies, fill(`{"input":[`, `"`+strings.Repeat(unit, 1+length/len(unit))+`",`, `]}`))
		}
	}
	work := func(body string) time.Duration { // of one unit of effort
		least := time.Hour
		for range 2 {
			start := onThisThread()
			_, _ = prompt.Read(t.Context(), []byte(body), prompt.Fields{})
			least = min(least, onThisThread()-start)
		}
		return least * 1000 / time.Duration(Effort([]byte(body)))
	}
	usual, worst, of := work(prose), time.Duration(0), ""
	for _, body := range bodies {
		if w := work(body); w > worst {
			worst, of = w, body
		}
	}
	t.Logf("a thousand units of effort: prose %v, at worst %v: %.60s", usual, worst, of)
	require.Less(t, worst, 16*usual, "six without the race detector")
}

// onThisThread is the CPU time of this thread so far.
func onThisThread() time.Duration {
	var t unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t)
	return time.Duration(t.Nano())
}
