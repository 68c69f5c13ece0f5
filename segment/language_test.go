package segment_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
)

func TestLanguageOf(t *testing.T) {
	for info, want := range map[string]string{
		"go":                                "go",
		"C++":                               "cpp",
		"c#":                                "csharp",
		"JS":                                "javascript",
		"python title=\"go.py\"":            "python",
		"{.haskell .numberLines}":           "haskell",
		"rust,no_run":                       "rust",
		"js:app.js":                         "javascript",
		"{r, echo=FALSE}":                   "r",
		"{code-block} nix":                  "nix",
		"yaml{1,3-5}":                       "yaml",
		"language-java":                     "java",
		"hljs language-java":                "java",
		"lang-css prettyprint":              "css",
		"elisp":                             "emacslisp",
		"":                                  "unknown",
		"mermaid":                           "mermaid",
		"language-prisma":                   "prisma",
		"env":                               "dotenv",
		"jinja2":                            "jinja",
		"sparql":                            "unknown",
		"language-smithy":                   "unknown",
		"nothing in here is a language: go": "unknown",
		"{{{":                               "unknown",
		"\xff\x00":                          "unknown",
		strings.Repeat("x", 100):            "unknown",
	} {
		require.Equal(t, want, segment.LanguageOf(info).String(), "%q", info)
	}
}

func TestLanguages(t *testing.T) {
	seen := map[string]bool{}
	for _, l := range segment.Languages() {
		require.NotEmpty(t, l.Name(), l)
		require.NotEmpty(t, l.Family(), l)
		require.Equal(t, l, segment.LanguageOf(l.Tag()), "the tag of %s is for another language", l)
		require.False(t, seen[l.String()], "%s is there twice", l)
		seen[l.String()] = true
	}
	require.False(t, seen["unknown"])
	unknown := segment.UnknownLanguage
	require.Equal(t, []string{"unknown", "Unknown", "UNKNOWN", ""}, []string{unknown.String(), unknown.Name(), unknown.Specific(), unknown.Tag()})
	require.Equal(t, unknown.Specific(), segment.Language(255).Specific())
}
