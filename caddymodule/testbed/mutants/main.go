// Command mutants checks the tests of package idp and of those below it: it builds
// faults into the code, one at a time, and runs the tests of the package that has it.
// A fault that no test notices is a survivor, and a hole in the tests, unless
// explained.txt says why it makes no difference. Any other survivor makes it fail.
//
//	go run . [-packages ./...] [-files regexp] [-workers 2]
//
// All faults of a package are compiled into one test binary, asleep, and an environment
// variable wakes one of them. A first run notes which test reaches which fault, so
// that each is tried only on those that could notice.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

func main() {
	packages := flag.String("packages", "./...", "the packages, relative to idp: others of the module, too")
	files := flag.String("files", "", "a regular expression: only mutants in the files that it matches")
	functions := flag.String("functions", "", "a regular expression: only mutants in the functions that it matches")
	workers := flag.Int("workers", 2, "how many tests run at the same time")
	explained := flag.String("explained", "explained.txt", "the mutants that make no difference, and why")
	flag.Parse()
	ok, err := run(*packages, *files, *functions, *explained, *workers)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// listed is what go list says of a package.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	TestGoFiles             []string
	XTestGoFiles            []string
}

func run(packages, files, functions, explained string, workers int) (bool, error) {
	start := time.Now()
	file, err := regexp.Compile(files)
	if err != nil {
		return false, err
	}
	function, err := regexp.Compile(functions)
	if err != nil {
		return false, err
	}
	if _, err := readExplanations(explained); err != nil {
		return false, err
	}
	idp, err := filepath.Abs("../../../idp")
	if err != nil {
		return false, err
	}
	chosen, err := list(idp, "-json=ImportPath,Dir,GoFiles,TestGoFiles,XTestGoFiles", packages)
	if err != nil {
		return false, err
	}
	dependencies, err := list(idp, "-deps", "-export", "-json=ImportPath,Export", packages)
	if err != nil {
		return false, err
	}
	exports := make(map[string]string)
	for _, d := range dependencies {
		exports[d.ImportPath] = d.Export
	}
	scratch, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(scratch)

	var all []tried
	for _, pkg := range chosen {
		if len(pkg.TestGoFiles)+len(pkg.XTestGoFiles) == 0 {
			return false, fmt.Errorf("%s has no tests", pkg.ImportPath)
		}
		relative, err := filepath.Rel(filepath.Dir(idp), pkg.Dir)
		if err != nil {
			return false, err
		}
		binary, mutants, err := build(pkg, exports, relative, scratch)
		if err != nil {
			return false, err
		}
		mutants = slices.DeleteFunc(mutants, func(m *mutant) bool { return !file.MatchString(m.file) || !function.MatchString(m.function) })
		if len(mutants) == 0 {
			continue
		}
		results, err := binary.try(mutants, workers)
		if err != nil {
			return false, err
		}
		all = append(all, results...)
	}
	reasons, err := readExplanations(explained) // again: it takes long enough to write some meanwhile
	if err != nil {
		return false, err
	}
	ok := report(all, reasons, files == "" && functions == "" && packages == "./...")
	fmt.Printf("%d s\n", int(time.Since(start).Seconds()))
	return ok, nil
}

// list runs go list.
func list(folder string, arguments ...string) ([]listed, error) {
	command := exec.Command("go", append([]string{"list"}, arguments...)...)
	command.Dir = folder
	command.Stderr = os.Stderr
	output, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var all []listed
	for decoder := json.NewDecoder(strings.NewReader(string(output))); decoder.More(); {
		var one listed
		if err := decoder.Decode(&one); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// readExplanations reads keys of mutants, each with its reason in the indented
// lines that follow. Lines that begin with # are comments.
func readExplanations(name string) (map[string]string, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	reasons := make(map[string]string)
	key := ""
	for number, line := range strings.Split(string(text), "\n") {
		switch {
		case strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "":
		case strings.HasPrefix(line, "  "):
			if key == "" {
				return nil, fmt.Errorf("%s:%d: a reason without a mutant", name, number+1)
			}
			reasons[key] = strings.TrimSpace(reasons[key] + " " + strings.TrimSpace(line))
		default:
			key = line
			if _, twice := reasons[key]; twice {
				return nil, fmt.Errorf("%s:%d: this mutant stands here twice", name, number+1)
			}
			reasons[key] = ""
		}
	}
	for key, reason := range reasons {
		if reason == "" {
			return nil, fmt.Errorf("%s: no reason for %s", name, key)
		}
	}
	return reasons, nil
}

// report prints a table and the survivors. It reports false if there are any that
// are not explained, or explanations that are of no use. whole says that all mutants
// were tried.
func report(all []tried, reasons map[string]string, whole bool) bool {
	type row struct{ mutants, killed, late, explained, unreached, survived int }
	rows := make(map[string]*row)
	used := make(map[string]bool)
	var survivors []tried
	for _, t := range all {
		for _, name := range []string{t.file, "all"} {
			if rows[name] == nil {
				rows[name] = new(row)
			}
			r := rows[name]
			r.mutants++
			_, isExplained := reasons[t.key()]
			switch {
			case t.outcome == killed:
				r.killed++
			case t.outcome == late:
				r.late++
			case isExplained:
				r.explained++
			case t.outcome == unreached:
				r.unreached++
			default:
				r.survived++
			}
			if isExplained && t.outcome != killed { // one that is late on a busy machine lives on another
				used[t.key()] = true
			} else if name == "all" && t.outcome != killed && t.outcome != late {
				survivors = append(survivors, t)
			}
		}
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "mutants\tkilled\tby time\texplained\tnot reached\tsurvived\tkilled %\t  file\t")
	names := make([]string, 0, len(rows))
	for name := range rows {
		if name != "all" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range append(names, "all") {
		r := rows[name]
		if r == nil {
			continue
		}
		fmt.Fprintf(table, "%d\t%d\t%d\t%d\t%d\t%d\t%.1f\t  %s\t\n", r.mutants, r.killed, r.late, r.explained, r.unreached, r.survived,
			100*float64(r.killed+r.late)/float64(r.mutants), name)
	}
	_ = table.Flush()
	for _, t := range survivors {
		what := "survives"
		if t.outcome == unreached {
			what = "is reached by no test"
		}
		fmt.Printf("%s:%d %s:\n  %s\n", t.file, t.line, what, t.key())
	}
	ok := len(survivors) == 0
	if whole {
		for key := range reasons {
			if !used[key] {
				fmt.Printf("explained.txt: this one does not survive, or is no more: %s\n", key)
				ok = false
			}
		}
	}
	return ok
}
