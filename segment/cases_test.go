package segment_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
)

// Parts of what a case consists of, besides the labels of languages.
const (
	anyText = "text"
	anyCode = "code" // in any language
)

// testCase is a short message of our own. Most are like one that users of another tool reported as misread, the others have
// what people paste. Nothing is trained on them or chosen by them.
type testCase struct {
	Tool   string   `json:"tool"`   // that misread something like it; "" for what people paste
	Source string   `json:"source"` // link of the report
	Report string   `json:"report"` // what went wrong there, or what it is
	Want   string   `json:"want"`   // what it consists of, in order, joined by " + "
	Lines  []string `json:"text"`
}

// read is what the segmenter makes of a message, in the terms of testCase.Want.
func read(text string) string {
	var found []string
	for _, s := range segment.Default().SegmentClassified(text) {
		if s.Kind == segment.Code {
			found = append(found, s.Language.String())
		} else {
			found = append(found, anyText)
		}
	}
	return strings.Join(slices.Compact(found), " + ")
}

// TestCases logs which messages are misread, and fails if they are clearly more than the model card says: models that differ in nothing
// but their seed misread two more or fewer.
func TestCases(t *testing.T) {
	file, err := os.ReadFile("testdata/cases.json")
	require.NoError(t, err)
	var cases []testCase
	require.NoError(t, json.Unmarshal(file, &cases))
	require.Len(t, cases, 180)
	known := []string{anyText, anyCode}
	for _, l := range segment.Languages() {
		known = append(known, l.String())
	}
	seen := map[string]bool{}
	misread := 0
	for _, c := range cases {
		text := strings.Join(c.Lines, "\n")
		require.NotEmpty(t, strings.TrimSpace(text), c.Report)
		require.False(t, seen[text], "%s: the same text is there twice", c.Report)
		seen[text] = true
		if c.Tool == "" {
			require.Empty(t, c.Source, c.Report)
		} else {
			require.Regexp(t, `^https://[^/]+/[^/]+/[^/]+/(issues|pull)/[0-9]+$`, c.Source)
		}
		found, want := read(text), strings.Split(c.Want, " + ")
		require.Subset(t, known, want, c.Report)
		right := slices.EqualFunc(strings.Split(found, " + "), want, func(part, want string) bool {
			return part == want || want == anyCode && part != anyText
		})
		if !right {
			misread++
			t.Logf("%s, found %s: %s (%s %s)\n\t%s", c.Want, found, c.Report, c.Tool, c.Source, strings.Join(c.Lines, "\n\t"))
		}
	}
	t.Logf("%d of %d cases are read right", len(cases)-misread, len(cases))
	require.LessOrEqual(t, misread, 7)
}
