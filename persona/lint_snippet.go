package persona

import (
	"bytes"
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

// hiddenSQL is what SQL may hide before what it shows: tables, their rows and indexes. psql's \o and setseed only make the output
// repeatable.
var hiddenSQL = regexp.MustCompile(`(?i)^(CREATE TABLE|CREATE INDEX|INSERT INTO|SELECT setseed\(|\\o )`)

// changesMeaning returns a hidden statement without which the shown part means something else.
func changesMeaning(s *Snippet) string {
	if s.Language.ID != "sql" {
		return ""
	}
	for statement := range strings.SplitSeq(s.setup, ";\n") {
		for line := range strings.SplitSeq(statement, "\n") {
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "--") {
				continue
			}
			if !hiddenSQL.MatchString(line) {
				return line
			}
			if !strings.HasPrefix(line, `\`) && !strings.Contains(line, `\g`) {
				break // the rest of the statement
			}
		}
	}
	return ""
}

// securityClaim is a promise that only a measurement can hold.
var securityClaim = regexp.MustCompile(`(?i)\b(constant[- ]time|tamper\w*|injection|cannot be (guessed|forged)|the time does not tell|` +
	`as much time|unseen|unforgeable|enforced|nobody can|no text can change)\b`)

// unmeasuredClaim returns a claim about security that nothing in the file measures. What is only parsed cannot measure, and is
// left to its reviewer.
func unmeasuredClaim(s *Snippet) string {
	if len(s.measures) > 0 || len(s.Prints) == 0 || !slices.Contains(s.Task.Tags, "security") && !slices.Contains(s.Task.Tags, "crypto") {
		return ""
	}
	return securityClaim.FindString(s.Title + "\n" + s.Description + "\n" + s.Code)
}

//go:embed features.toml
var featuresTOML []byte

// feature is what only a version of a language and its successors have.
type feature struct {
	Version string   `toml:"version"`
	Uses    []string `toml:"uses"`

	uses []*regexp.Regexp
}

// newFeatures are the features of features.toml by language, newest first.
var newFeatures = sync.OnceValue(func() map[string][]feature {
	features := map[string][]feature{}
	if err := toml.NewDecoder(bytes.NewReader(featuresTOML)).DisallowUnknownFields().Decode(&features); err != nil {
		panic("features.toml: " + err.Error())
	}
	for _, ofLanguage := range features {
		for i := range ofLanguage {
			for _, uses := range ofLanguage[i].Uses {
				ofLanguage[i].uses = append(ofLanguage[i].uses, regexp.MustCompile(uses))
			}
		}
	}
	return features
})

// neededVersion returns the version that the snippet needs at least, or "".
func neededVersion(s *Snippet) string {
	for _, f := range newFeatures()[s.Language.ID] {
		if slices.ContainsFunc(f.uses, func(uses *regexp.Regexp) bool { return uses.MatchString(s.program()) }) {
			return f.Version
		}
	}
	return ""
}

// quotedName is code in a description.
var quotedName = regexp.MustCompile("`([^`]+)`")

var nameWord = regexp.MustCompile(`\w+`)

// absentNames returns the names that the description puts in backticks and that
// the snippet does not have, if they are more than those that it has. A
// description may name what the code does without, but not mostly.
func absentNames(s *Snippet) []string {
	code := strings.ToLower(s.Code)
	var absent []string
	names := quotedName.FindAllStringSubmatch(s.Description, -1)
	for _, name := range names {
		for _, word := range nameWord.FindAllString(strings.ToLower(name[1]), -1) {
			if !strings.Contains(code, word) {
				absent = append(absent, name[1])
				break
			}
		}
	}
	if 2*len(absent) <= len(names) {
		return nil
	}
	return absent
}
