package persona

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// hiddenSQL is what SQL may hide before what it shows: tables, their rows and
// indexes. psql's \o and setseed only make the output repeatable.
var hiddenSQL = regexp.MustCompile(`(?i)^(CREATE TABLE|CREATE INDEX|INSERT INTO|SELECT setseed\(|\\o )`)

// changesMeaning returns a hidden statement without which the shown part means
// something else.
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

// unmeasuredClaim returns a claim about security that nothing in the file
// measures. What is only parsed cannot measure, and is left to its reviewer.
func unmeasuredClaim(s *Snippet) string {
	if len(s.Measures) > 0 || len(s.Prints) == 0 || !slices.Contains(s.Task.Tags, "security") && !slices.Contains(s.Task.Tags, "crypto") {
		return ""
	}
	return securityClaim.FindString(s.Title + "\n" + s.Task.Description + "\n" + s.Code)
}

// feature is what only a version of a language and its successors have.
type feature struct {
	version string
	uses    *regexp.Regexp
}

// newFeatures are those that not every distribution has that is still
// maintained, by language, newest first.
var newFeatures = sync.OnceValue(func() map[string][]feature {
	in := func(version, uses string) feature { return feature{version, regexp.MustCompile(uses)} }
	return map[string][]feature{
		"go": {
			in("Go 1.25", `testing/synctest|\.Go\(func\(\) \{`),
			in("Go 1.24", `crypto/pbkdf2|strings\.(Split|Fields)\w*Seq|strings\.Lines|rand\.Text\(|b\.Loop\(\)|os\.OpenRoot`),
			in("Go 1.23", `iter\.Seq|maps\.Keys|maps\.Values|slices\.(Sorted|Collect|Chunk)`),
			in("Go 1.22", `cmp\.Or\(|for (\w+ := )?range (\d+|n|len\([^)]*\)) \{|math/rand/v2|\.PathValue\(|HandleFunc\("(GET|POST|PUT|DELETE) `),
		},
		"python": {
			in("Python 3.12", `(?m)^\s*type \w+ = |(def|class) \w+\[\w|itertools\.batched|import batched`),
			in("Python 3.11", `TaskGroup|tomllib|except\*|StrEnum|asyncio\.timeout|import Self|file_digest`),
		},
		"rust": {
			in("Rust 1.85", `AsyncFn(Mut|Once)?\(|async \|`),
		},
		"java": {
			in("Java 21", `SequencedMap|newVirtualThreadPerTaskExecutor|case \w+\([^)]*\) ->|\.getFirst\(\)`),
		},
		"javascript": {
			in("Node.js 22", `Promise\.withResolvers|\.union\(new Set`),
			in("Node.js 21", `(Object|Map)\.groupBy`),
		},
		"php": {
			in("PHP 8.4", `array_find\(|array_any\(|array_all\(`),
			in("PHP 8.3", `json_validate\(|#\[\\?Override\]|const (int|string|array|float|bool) [A-Z]`),
		},
		"erlang": {
			in("Erlang/OTP 27", `(?m)^"""|json:(en|de)code`),
		},
		"matlab": {
			in("MATLAB R2019b", `(?m)^\s*arguments$`),
		},
		"ada": {
			in("Ada 2022", `\[\(|\[others =>|\[\w+ +=>`),
		},
		"lua": {
			in("Lua 5.3", `\w\)? // `),
		},
		"gdscript": {
			in("Godot 4.2", `for \w+: \w+ in `),
		},
		"zig": {
			in("Zig 0.15", `std\.ArrayList\(|std\.Io\.|@memmove\(`),
			in("Zig 0.14", `: \[\w+\]\w+ = @splat\(`),
		},
	}
})

// neededVersion returns the version that the snippet needs at least, or "".
func neededVersion(s *Snippet) string {
	for _, f := range newFeatures()[s.Language.ID] {
		if f.uses.MatchString(s.Code) {
			return f.version
		}
	}
	return ""
}
