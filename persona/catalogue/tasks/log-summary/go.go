// snippet:check
//go:build ignore

package main

// snippet:end

// snippet:doc https://pkg.go.dev/regexp regexp
// snippet:prints map[2026-03-01T10:{2 disk full} 2026-03-01T11:{1 timeout}] <nil>

import (
	"bufio"
	"io"
	"regexp"
)

// snippet:check
import "fmt"
import "strings"

// snippet:end
var logLine = regexp.MustCompile(`^(\d{4}-\d\d-\d\dT\d\d):\S+ (ERROR|WARN|INFO) (.*)`)

type Hour struct {
	Errors int
	First  string // the first error's message: often the cause of the others
}

// ErrorsPerHour reads a log and counts the errors of each hour.
func ErrorsPerHour(log io.Reader) (map[string]Hour, error) {
	hours := map[string]Hour{}
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		m := logLine.FindStringSubmatch(lines.Text())
		if m == nil || m[2] != "ERROR" {
			continue
		}
		h := hours[m[1]]
		if h.Errors++; h.Errors == 1 {
			h.First = m[3]
		}
		hours[m[1]] = h
	}
	return hours, lines.Err()
}

// snippet:check
func main() {
	fmt.Println(ErrorsPerHour(strings.NewReader(`2026-03-01T09:59:58Z INFO started
2026-03-01T10:00:01Z ERROR disk full
2026-03-01T10:00:02Z ERROR write failed
2026-03-01T11:10:00Z ERROR timeout`)))
}
