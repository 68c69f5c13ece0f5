package admission

import "bytes"

// What a line, a text and a byte cost package segment, in quarters of what a byte of prose does. A tag is as much as a line.
// It reads one line for 12 bytes and one text for 256, and some for nothing.
const (
	effortOfLine = 240
	bytesOfLine  = 12
	freeLines    = 1024
	effortOfText = 1600
	bytesOfText  = 256
	freeTexts    = 128
)

// Effort estimates the work on a message, in bytes of prose that take as long: lines and texts cost more than bytes. Body
// is the message itself, or in JSON, which may hold many texts.
func Effort(body []byte) int {
	lines, quotes := 1, 0
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case c == '"':
			quotes++
		case c == '<', c == '\n', c == '\r' && !bytes.HasPrefix(body[i+1:], []byte("\n")):
			lines++
		case c == '\\':
			i++
			switch rest := body[min(i, len(body)):]; {
			case bytes.HasPrefix(rest, []byte("n")), bytes.HasPrefix(rest, []byte("u000")), bytes.HasPrefix(rest, []byte("u003")),
				bytes.HasPrefix(rest, []byte("r")) && !bytes.HasPrefix(rest, []byte(`r\n`)):
				lines++
			}
		}
	}
	texts := quotes / 2 // at most
	return (len(body) + effortOfLine*min(lines+texts, freeLines+len(body)/bytesOfLine) +
		effortOfText*min(texts, freeTexts+len(body)/bytesOfText)) / 4
}
