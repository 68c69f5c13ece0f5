package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

//go:embed toolchains.toml
var toolchains []byte

// recipe says how a language's snippets are checked; toolchains.toml documents
// the fields.
type recipe struct {
	Language string            `toml:"language"`
	Tool     string            `toml:"tool"`
	How      string            `toml:"how"`
	When     string            `toml:"when"`
	Version  []string          `toml:"version"`
	Source   string            `toml:"source"`
	Capture  string            `toml:"capture"`
	Env      map[string]string `toml:"env"`
	Files    map[string]string `toml:"files"`
	With     []string          `toml:"with"`
	Steps    [][]string        `toml:"steps"`
	Shown    shown             `toml:"shown"`

	when, capture *regexp.Regexp
}

// shown says how what readers see is checked without the hidden regions.
type shown struct {
	Before string     `toml:"before"`
	Steps  [][]string `toml:"steps"`
}

// before is what the code needs above it: nothing, if it begins so itself.
func (s shown) before(code string) string {
	word, _, _ := strings.Cut(s.Before, " ")
	if strings.HasPrefix(code, word+" ") {
		return ""
	}
	return s.Before
}

// The ways of checking.
const (
	howRun    = "run"
	howLint   = "lint"
	howSyntax = "syntax"
)

func decodeRecipes(src []byte) ([]recipe, []lowest, error) {
	var content struct {
		Lowest  []lowest          `toml:"lowest"`
		Files   map[string]string `toml:"files"`
		Recipes []recipe          `toml:"recipe"`
	}
	if err := toml.NewDecoder(bytes.NewReader(src)).DisallowUnknownFields().Decode(&content); err != nil {
		return nil, nil, err
	}
	for i := range content.Lowest {
		l := &content.Lowest[i]
		var err error
		if l.needs, err = regexp.Compile(l.Needs); err != nil {
			return nil, nil, fmt.Errorf("lowest %d (%s): %w", i+1, l.Language, err)
		}
	}
	for i := range content.Recipes {
		r := &content.Recipes[i]
		var err error
		switch {
		case !slices.Contains([]string{howRun, howLint, howSyntax}, r.How):
			err = fmt.Errorf("how %q: expected %s, %s or %s", r.How, howRun, howLint, howSyntax)
		case r.Source == "" || len(r.Steps) == 0 || len(r.Version) == 0:
			err = fmt.Errorf("source, steps and version are required")
		default:
			if r.When != "" {
				r.when, err = regexp.Compile(r.When)
			}
			if r.Capture != "" && err == nil {
				r.capture, err = regexp.Compile(r.Capture)
			}
		}
		for _, name := range r.With {
			if r.Files == nil {
				r.Files = map[string]string{}
			}
			text, ok := content.Files[name]
			if !ok {
				err = fmt.Errorf("with: [files] has no %q", name)
			}
			r.Files[name] = text
		}
		if err != nil {
			return nil, nil, fmt.Errorf("recipe %d (%s): %w", i+1, r.Language, err)
		}
	}
	return content.Recipes, content.Lowest, nil
}

// recipeFor returns the first recipe for the language that applies to the source, or nil.
func recipeFor(recipes []recipe, language, source string) *recipe {
	for i := range recipes {
		r := &recipes[i]
		if r.Language == language && (r.when == nil || r.when.MatchString(source)) {
			return r
		}
	}
	return nil
}

// imported returns a file of the recipe that the program imports, or "".
func (r *recipe) imported(program string) string {
	for name := range r.Files {
		extension := filepath.Ext(name)
		if !slices.Contains([]string{".py", ".rb", ".php", ".mjs", ".ts"}, extension) { // elsewhere, imports name no files
			continue
		}
		stem := regexp.QuoteMeta(strings.TrimSuffix(name, extension))
		if regexp.MustCompile(`(?m)^\s*(import|from|require).*\b` + stem + `\b`).MatchString(program) {
			return name
		}
	}
	return ""
}

// placeholders returns the replacements of a recipe for one source.
func (r *recipe) placeholders(tools, task, source string) (*strings.Replacer, error) {
	pairs := []string{"{tools}", tools, "{task}", task}
	if r.capture != nil {
		match := r.capture.FindStringSubmatch(source)
		if match == nil {
			return nil, fmt.Errorf("nothing in the file matches %s", r.Capture)
		}
		for i, name := range r.capture.SubexpNames() {
			if name != "" {
				pairs = append(pairs, "{"+name+"}", match[i])
			}
		}
	}
	for _, word := range slices.Concat(append(slices.Clone(r.Steps), r.Version)...) {
		for _, found := range jarsPattern.FindAllStringSubmatch(word, -1) {
			jars, err := filepath.Glob(filepath.Join(tools, "maven", found[1], "*.jar"))
			if err != nil {
				return nil, err
			}
			slices.Sort(jars)
			pairs = append(pairs, found[0], strings.Join(jars, ":"))
		}
	}
	return strings.NewReplacer(pairs...), nil
}

var jarsPattern = regexp.MustCompile(`\{jars ([\w.-]+)\}`)
