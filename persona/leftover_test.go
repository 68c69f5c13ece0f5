package persona

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// note is what a selection says of a name, in the order in which it says it.
func note(unknown, versions string, notes ...string) []string {
	var all []string
	if unknown != "" {
		all = append(all, `Not understood: "`+unknown+`".`)
	}
	if versions != "" {
		all = append(all, `Versions are not told apart ("`+versions+`"): the snippets are written for current ones, and say which they need.`)
	}
	return append(all, notes...)
}

func TestWhatOfANameWasNotUsedIsTold(t *testing.T) {
	for _, tt := range []struct {
		role string // empty: a language
		name string
		want []string
	}{
		{"", "Klingon Python", note("Klingon", "")},
		{"", "Python, Klingon, Go, Rust, Java, Kotlin, Perl", note("Klingon", "", "No place was left for Go, Rust, Java, Kotlin and Perl: name fewer languages at once.")},
		{"", "Angular 15", note("", "Angular 15", "About Angular: 1 snippet.")},
		{"", "Java 8", note("", "Java 8")},
		{"", "Spring Boot 2.7.x", note("", "Spring Boot 2.7.x", "About Spring Boot: 1 snippet.")},
		{"", "go1.26", note("", "go1.26")},
		{"", "main.rs", nil},
		{"", "analysis.ipynb", nil},
		{"", "Cisco IOS", []string{"Cisco IOS is known, but no snippet is about it yet."}},
		{"", "Blender Python", []string{"No snippet is about Blender yet: what follows is plain Python."}},
		{"role", "Klingon developer", note("Klingon", "")},
		{"role", "Senior Klingon consultant (Go)", note("Klingon", "")},
		{"role", "data scientist, Klingon", note("Klingon", "")},
		{"role", "SAP developer", []string{"There are no snippets in SAP yet; the nearest are in SQL and Java."}},
		{"role", "PLC programmer", []string{"There are no snippets in PLC yet; the nearest are in Object Pascal and C."}},
		{"role", "kernel developer", []string{"No snippet is about Linux kernel yet: what follows is plain C and Rust."}},
		{"role", "Java 8 developer", note("", "Java 8")},
		{"role", "Java developer with 10 years of experience", nil},
		{"role", "QA enginer", nil},
		{"role", "senior", nil},
		{"role", "Junior", nil},
		// a sentence says much that chooses nothing
		{"role", "I build rockets in my garage as a Python developer", nil},
	} {
		request := Request{Languages: []string{tt.name}}
		if tt.role != "" {
			request = Request{Personas: []string{tt.name}}
		}
		s := ask(t, Default(), 1, request)
		assert.Equal(t, tt.want, s.Notes(), tt.name)
	}
}

func TestNobodyIsToldAnotherProductsName(t *testing.T) {
	for name, want := range map[string]string{
		"Claude Code": "Claude Code", "Cursor": "Cursor", "Copilot": "Copilot", "Windsurf": "Windsurf", "Zed": "Zed", "Notepad++": "Notepad++",
		"ChatGPT": "ChatGPT", "Claude": "Claude", "Ollama": "Ollama", "LangChain": "LangChain", "Caddy": "Caddy", "HAProxy": "HAProxy", "nginx": "Nginx",
		"Vault": "Vault", "Emacs": "Emacs", "Neovim": "Neovim", "jq": "jq", "nmap": "Nmap", "Three.js": "Three.js", "MPI": "MPI", "Hardhat": "Hardhat",
	} {
		s := generate(t, 1, name, "")
		require.Len(t, s.Products, 1, name)
		assert.Equal(t, want, s.Products[0].Name)
		assert.Contains(t, s.Notes()[0], want)
	}
}
