// snippet:check
//go:build ignore

package main

// snippet:end

// snippet:doc https://pkg.go.dev/flag flag
// snippet:prints {150ms 1 https://example.com} <nil>
// snippet:prints probe: want one URL, -timeout > 0 and -retries >= 0

import (
	"errors"
	"flag"
	"io"
	"time"
)

// snippet:check
import "fmt"

// snippet:end
type Options struct {
	Timeout time.Duration
	Retries int
	URL     string
}

// ParseArgs never exits by itself, so that tests can call it. It wants one URL, and does not look into it.
func ParseArgs(args []string, usage io.Writer) (Options, error) {
	var o Options
	flags := flag.NewFlagSet("probe", flag.ContinueOnError)
	flags.SetOutput(usage)
	flags.DurationVar(&o.Timeout, "timeout", 2*time.Second, "give up after this `time`")
	flags.IntVar(&o.Retries, "retries", 1, "further attempts after a failure")
	if err := flags.Parse(args); err != nil {
		return o, err // flag.ErrHelp for -h; the usage is already printed
	}
	if flags.NArg() != 1 || o.Timeout <= 0 || o.Retries < 0 {
		flags.Usage()
		return o, errors.New("probe: want one URL, -timeout > 0 and -retries >= 0")
	}
	o.URL = flags.Arg(0)
	return o, nil
}

// snippet:check
func main() {
	fmt.Println(ParseArgs([]string{"-timeout", "150ms", "https://example.com"}, io.Discard))
	_, err := ParseArgs([]string{"-retries", "-1", "x"}, io.Discard)
	fmt.Println(err)
}
