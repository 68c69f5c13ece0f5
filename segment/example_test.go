package segment_test

import (
	"fmt"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
)

func ExampleSegmenter_Segment() {
	text := `How do I make this faster?

def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)

It takes ages for n = 40.`

	for _, s := range segment.Default().Segment(text) {
		fmt.Printf("%s %d-%d\n", s.Kind, s.Start, s.End)
	}
	// Output:
	// TEXT 0-28
	// CODE 28-106
	// TEXT 106-132
}

func ExampleSegment_Content() {
	text := "1. Install it:\n\n   ```sh\n   npm install tinycache\n   ```\n"

	for _, s := range segment.Default().Segment(text) {
		if s.Kind == segment.Code {
			fmt.Printf("%q with tag %q\n", s.Content(text), s.Info)
		}
	}
	// Output:
	// "npm install tinycache\n" with tag "sh"
}

func ExampleSegmenter_Classify() {
	c := segment.Default().Classify("if err := run(ctx, os.Args[1:]); err != nil {\n\tlog.Fatal(err)\n}")

	fmt.Println(c.Language.Name(), c.Language.Specific(), c.Confidence > 0.5)
	// Output:
	// Go go true
}

func ExampleSegmenter_SegmentClassified() {
	text := "Die Abfrage 🐌 ist langsam:\n\nSELECT name FROM users WHERE lower(email) = 'ana@example.org';\n\nWarum?"

	for _, s := range segment.Default().SegmentClassified(text) {
		if s.Kind == segment.Code {
			first, last := s.Lines(text)
			start, end := s.UTF16(text)
			fmt.Printf("%s (%t) in lines %d to %d, at %d to %d in JavaScript\n", s.Language, s.Confidence > 0.8, first, last, start, end)
		}
	}
	// Output:
	// sql (true) in lines 3 to 3, at 29 to 92 in JavaScript
}

func ExampleAppendMarkdown() {
	text := `The query is slow on my machine:

SELECT name FROM users WHERE lower(email) = 'ana@example.org';

What can I do?`

	segments := segment.Default().SegmentClassified(text)
	fmt.Printf("%s", segment.AppendMarkdown(nil, text, segments, 0.5))
	// Output:
	// The query is slow on my machine:
	//
	// ```sql
	// SELECT name FROM users WHERE lower(email) = 'ana@example.org';
	// ```
	//
	// What can I do?
}
