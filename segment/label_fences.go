package segment

import (
	"context"
	"strings"
)

// LabelFences appends text to dst with a tag on each code fence that has none and whose language is known with at least the
// confidence minimum, 0 to 1. Nothing else changes. It returns how many tags there are in addition. Applied to its own result it
// adds none.
func (s *Segmenter) LabelFences(ctx context.Context, dst []byte, text string, minimum float64) ([]byte, int, error) {
	total := 0
	for {
		// Each tag is evidence for the others: what a next pass would know is used here.
		segments, err := s.AppendClassified(ctx, nil, text)
		if err != nil {
			return dst, 0, err
		}
		var labelled strings.Builder
		added, done := 0, 0
		for _, part := range segments {
			tag := part.AtLeast(minimum).Tag()
			at := bareFence(text, part.Segment)
			if tag == "" || at < 0 {
				continue
			}
			labelled.WriteString(text[done:at])
			labelled.WriteString(tag)
			added, done = added+1, at
		}
		if added == 0 {
			return append(dst, text...), total, nil
		}
		labelled.WriteString(text[done:])
		text, total = labelled.String(), total+added
	}
}

// bareFence returns where the tag of the fence before a piece of code belongs; -1 if there is no fence, or one with an info
// string.
func bareFence(text string, s Segment) int {
	if s.Kind != Code || s.Markup != Fenced || s.Info != "" {
		return -1
	}
	line := strings.TrimRight(text[:s.Start], "\r\n")
	if len(line) == s.Start {
		return -1
	}
	line = strings.TrimRight(line, " \t")
	if !strings.HasSuffix(line, "```") && !strings.HasSuffix(line, "~~~") {
		return -1
	}
	fence := line[strings.LastIndexAny(line, "\r\n")+1:]
	if strings.Trim(fence, "`~ \t>-+*.)0123456789\ufeff") != "" {
		return -1 // words stand before it: a tag would be one of the code's
	}
	return len(line)
}
