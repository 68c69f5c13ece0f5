package admission

import "bytes"

// What a line and a byte cost package segment, in quarters of what a byte of prose does. It reads one line for 12 bytes,
// and some for nothing.
const (
	effortOfLine = 240
	bytesOfLine  = 12
	freeLines    = 1024
)

// Effort estimates the work on a message, in bytes of prose that take as long: lines cost more than bytes. Body is the
// message itself, or in JSON.
func Effort(body []byte) int {
	lines := 1 + bytes.Count(body, []byte("\n")) + bytes.Count(body, []byte(`\n`))
	return (len(body) + effortOfLine*min(lines, freeLines+len(body)/bytesOfLine)) / 4
}
