// snippet:check
//go:build ignore

// snippet:usage
package main

// snippet:end
// snippet:doc https://pkg.go.dev/regexp regexp
// snippet:needs Go 1.22
import (
	"bufio"
	"cmp"
	// snippet:usage
	"fmt"
	// snippet:end
	"io"
	"regexp"
	// snippet:usage
	"strings"
	// snippet:end
)

var logLine = regexp.MustCompile(`^(\d{4}-\d\d-\d\dT\d\d):\d\d:\d\d\S* (ERROR|WARN|INFO) (.*)`)

// Hour has the first message of an error that is not empty: often the cause of the others.
type Hour struct {
	Errors int
	First  string
}

// ErrorsPerHour counts the errors of each hour; a line over 1 MiB is an error.
func ErrorsPerHour(log io.Reader) (map[string]Hour, error) {
	hours := map[string]Hour{}
	lines := bufio.NewScanner(log)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		m := logLine.FindStringSubmatch(lines.Text())
		if m == nil || m[2] != "ERROR" {
			continue
		}
		h := hours[m[1]]
		hours[m[1]] = Hour{h.Errors + 1, cmp.Or(h.First, m[3])}
	}
	return hours, lines.Err()
}

// snippet:usage
// snippet:prints map[2026-03-01T10:{2 disk full} 2026-03-01T11:{1 timeout}] <nil>
func main() {
	fmt.Println(ErrorsPerHour(strings.NewReader(`2026-03-01T09:59:58Z INFO started
2026-03-01T10:00:01Z ERROR disk full
2026-03-01T10:zz ERROR no time
2026-03-01T10:00:02Z ERROR write failed
2026-03-01T11:10:00Z ERROR timeout`)))
}
