package main

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mutate returns the mutants of a file, and the file with them.
func mutate(t *testing.T, source string) ([]string, string) {
	t.Helper()
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, "a.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object),
	}
	pkg, err := new(types.Config).Check("a", fset, []*ast.File{parsed}, info)
	if err != nil {
		t.Fatal(err)
	}
	next := 0
	m := mutator{fset: fset, info: info, pkg: pkg, source: []byte(source), file: "a.go", syntax: parsed, next: &next}
	changed := m.rewrite()
	if _, err := format.Source(changed); err != nil {
		t.Fatalf("%v\n%s", err, changed)
	}
	var changes []string
	for _, one := range m.mutants {
		changes = append(changes, one.key())
	}
	return changes, string(changed)
}

func TestMutantsOfAFunction(t *testing.T) {
	for source, want := range map[string][]string{
		"func f(a, b bool) bool { return a && b }":                    {"true instead of a", "true instead of b", "false instead of a && b"},
		"func f(a, b, c bool) bool { return a || b && c }":            {"false instead of a", "true instead of b", "true instead of c", "false instead of b && c", "true instead of a || b && c"},
		"func f(a, b bool) bool { return !(a || b) }":                 {"false instead of a", "false instead of b", "true instead of a || b"},
		"func f(n int) bool { return n < 7 }":                         {"true instead of n < 7", "false instead of n < 7", "<= instead of n < 7", "-1: 7"},
		"func f(n int) bool { return n == 7 }":                        {"true instead of n == 7", "false instead of n == 7", "+1: 7"},
		"func f(s string) bool { return s == \"a\" }":                 {"true instead of s == \"a\"", "false instead of s == \"a\""},
		"func f() bool { return true }":                               {"false instead of true"},
		"func f(n *int) { *n = 3 }":                                   {"left out: *n = 3", "+1: 3"},
		"func f(n *int) { *n++ }":                                     {"left out: *n++"},
		"func f(n int) { m := n; _ = m }":                             {"left out: _ = m"},
		"func f() string { return \"a\" }":                            {"returns nothing instead of \"a\""},
		"func f() string { return \"\" }":                             nil,
		"func f(e error) error { return e }":                          {"returns no error instead of e"},
		"func f(e error) (int, error) { return 7, e }":                {"returns no error instead of e"},
		"func f() (int, bool) { return 7, false }":                    {"true instead of false"},
		"func f() (int, error) { return 7, nil }":                     {"returns nothing instead of 7", "+1: 7"},
		"func f() []int { return make([]int, 0, 9) }":                 {"returns nothing instead of make([]int, 0, 9)"},
		"func f(s string) int { switch s { case \"a\": }; return 0 }": {"without case \"a\"", "+1: 0"},
		"func f(n int) { for n < 3 { n++ } }":                         {"false instead of n < 3", "<= instead of n < 3", "-1: 3", "left out: n++"},
		"func f() { panic(1) }":                                       {"+1: 1"},
		"const c = 7":                                                 nil,
		"type t struct{}\n\nfunc (*t) f() bool { return true }":       {"false instead of true"},
	} {
		got, changed := mutate(t, "package a\n\n"+source+"\n")
		for i := range got {
			_, got[i], _ = strings.Cut(got[i], ": ")
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s\ngives %q\nand not %q\n%s", source, got, want, changed)
		}
	}
}

func TestMutantsAreNamed(t *testing.T) {
	got, _ := mutate(t, "package a\n\ntype t struct{}\n\nfunc (*t) f() bool { return true }\n")
	if want := []string{"a.go t.f: false instead of true"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	twins := []*mutant{{change: "x"}, {change: "x"}, {change: "y"}}
	numberTwins(twins)
	if twins[0].change != "x" || twins[1].change != "x (2)" || twins[2].change != "y" {
		t.Errorf("%q %q %q", twins[0].change, twins[1].change, twins[2].change)
	}
}

func TestExplanations(t *testing.T) {
	name := filepath.Join(t.TempDir(), "explained.txt")
	for text, says := range map[string]string{
		"# a comment\na.go f: x\n  because\n  of that\n": "",
		"a.go f: x\n":      "no reason for a.go f: x",
		"  because\n":      "a reason without a mutant",
		"a\n  b\na\n  b\n": "stands here twice",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		reasons, err := readExplanations(name)
		switch {
		case says == "":
			if err != nil || reasons["a.go f: x"] != "because of that" {
				t.Errorf("%q, %v", reasons, err)
			}
		case err == nil || !strings.Contains(err.Error(), says):
			t.Errorf("%q: %v", text, err)
		}
	}
}
