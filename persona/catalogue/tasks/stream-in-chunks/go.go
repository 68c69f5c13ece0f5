// snippet:check
//go:build ignore

// snippet:usage
package main

// snippet:end
// snippet:doc https://pkg.go.dev/bufio#Scanner bufio.Scanner
import (
	"bufio"
	"fmt"
	"io"
	// snippet:usage
	"strings"
	// snippet:end
)

// Batches reads lines and hands them on in groups of at most size. The slice is
// reused between calls, so memory does not grow with the input.
func Batches(r io.Reader, size int, handle func(lines []string) error) error {
	if size < 1 {
		return fmt.Errorf("batches of %d lines", size)
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20) // a line is shorter than this
	batch := make([]string, 0, size)
	for lines.Scan() {
		batch = append(batch, lines.Text())
		if len(batch) == size {
			if err := handle(batch); err != nil {
				return err
			}
			batch = batch[:0]
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if len(batch) > 0 {
		return handle(batch)
	}
	return nil
}

// snippet:usage
// snippet:prints [a b]
// snippet:prints [c d]
// snippet:prints [e]
// snippet:prints <nil>
// snippet:prints batches of 0 lines
func main() {
	err := Batches(strings.NewReader("a\nb\nc\nd\ne"), 2, func(l []string) error { fmt.Println(l); return nil })
	fmt.Println(err)
	fmt.Println(Batches(strings.NewReader("a"), 0, nil))
}
