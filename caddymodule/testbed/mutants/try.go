package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// runtime is what the mutants in a package call.
const runtime = `package %s

import (
	"os"
	"strconv"
	"sync"
)

var mutantAwake, mutantNoted = func() (int, *os.File) {
	awake, _ := strconv.Atoi(os.Getenv("MUTANT"))
	var noted *os.File
	if name := os.Getenv("MUTANT_NOTE"); name != "" {
		noted, _ = os.Create(name)
	}
	return awake, noted
}()

var mutantSeen sync.Map

func mutantIs(n int) bool {
	if mutantNoted != nil {
		mutantNote(n)
	}
	return n == mutantAwake
}

func mutantNote(n int) {
	if _, seen := mutantSeen.LoadOrStore(n, true); !seen {
		_, _ = mutantNoted.WriteString(strconv.Itoa(n) + "\n")
	}
}

func mutantError(err error, n int) error {
	if mutantIs(n) {
		return nil
	}
	return err
}

func mutantZero[T any](v T, n int) T {
	if mutantIs(n) {
		var none T
		return none
	}
	return v
}

func mutantText[T ~string](v T, n int) T {
	if mutantIs(n) {
		return v + "\x00"
	}
	return v
}

func mutantInt[T ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr](v T, delta, n int) T {
	if mutantIs(n) {
		return v + T(delta)
	}
	return v
}
`

// testBinary are the tests of a package with all mutants in it.
type testBinary struct {
	path, folder, scratch string

	mu sync.Mutex
	// killers are the tests that killed the last mutant of each function. The next one
	// is tried on its killer first, which most often is enough.
	killers map[string]string
}

// build compiles the tests of a package with its mutants. relative is the package's
// folder from the repository.
func build(pkg listed, exports map[string]string, relative, scratch string) (*testBinary, []*mutant, error) {
	fset := token.NewFileSet()
	var syntax []*ast.File
	var sources [][]byte
	for _, name := range pkg.GoFiles {
		source, err := os.ReadFile(filepath.Join(pkg.Dir, name))
		if err != nil {
			return nil, nil, err
		}
		parsed, err := parser.ParseFile(fset, name, source, parser.SkipObjectResolution)
		if err != nil {
			return nil, nil, err
		}
		syntax, sources = append(syntax, parsed), append(sources, source)
	}
	info := &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object),
	}
	config := types.Config{Importer: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})}
	checked, err := config.Check(pkg.ImportPath, fset, syntax, info)
	if err != nil {
		return nil, nil, err
	}

	folder, err := os.MkdirTemp(scratch, "package")
	if err != nil {
		return nil, nil, err
	}
	var mutants []*mutant
	replace := make(map[string]string)
	next := 0
	for i, parsed := range syntax {
		m := mutator{
			fset: fset, info: info, pkg: checked, source: sources[i], syntax: parsed, next: &next,
			file: filepath.ToSlash(filepath.Join(relative, pkg.GoFiles[i])),
		}
		changed := filepath.Join(folder, pkg.GoFiles[i])
		if err := os.WriteFile(changed, m.rewrite(), 0o600); err != nil {
			return nil, nil, err
		}
		replace[filepath.Join(pkg.Dir, pkg.GoFiles[i])] = changed
		mutants = append(mutants, m.mutants...)
	}
	numberTwins(mutants)
	added := filepath.Join(folder, "mutants.go")
	if err := os.WriteFile(added, fmt.Appendf(nil, runtime, checked.Name()), 0o600); err != nil {
		return nil, nil, err
	}
	replace[filepath.Join(pkg.Dir, "zz_mutants.go")] = added
	overlay := filepath.Join(folder, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, nil, err
	}
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		return nil, nil, err
	}
	b := &testBinary{path: filepath.Join(folder, "tests"), folder: pkg.Dir, scratch: folder, killers: make(map[string]string)}
	command := exec.Command("go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", b.path, ".")
	command.Dir = pkg.Dir
	if output, err := command.CombinedOutput(); err != nil {
		return nil, nil, fmt.Errorf("%s with its mutants: %w\n%s", pkg.ImportPath, err, output)
	}
	return b, mutants, nil
}

// numberTwins tells mutants of one function apart that change the same text.
func numberTwins(mutants []*mutant) {
	seen := make(map[string]int)
	for _, m := range mutants {
		key := m.key()
		if seen[key]++; seen[key] > 1 {
			m.change += " (" + strconv.Itoa(seen[key]) + ")"
		}
	}
}

// outcome is what became of a mutant.
type outcome int

const (
	survived  outcome = iota
	unreached         // by any test
	killed
	late // the tests did not end in time
)

type tried struct {
	*mutant
	outcome outcome
}

// test is a test of the package.
type test struct {
	name  string
	takes time.Duration
}

// quick is how long the tests take that are tried first.
const quick = 200 * time.Millisecond

// try runs the tests that reach a mutant with it, for each of them.
func (b *testBinary) try(mutants []*mutant, workers int) ([]tried, error) {
	reached, err := b.note(workers)
	if err != nil {
		return nil, err
	}
	results := make([]tried, len(mutants))
	var group sync.WaitGroup
	places := make(chan struct{}, workers)
	for i, m := range mutants {
		if i%100 == 0 {
			fmt.Fprintf(os.Stderr, "%s: %d of %d mutants\n", filepath.Base(b.folder), i, len(mutants))
		}
		group.Add(1)
		places <- struct{}{}
		go func() {
			defer group.Done()
			results[i] = tried{m, b.outcome(m, reached[m.number])}
			if r := results[i].outcome; r == survived || r == unreached {
				fmt.Fprintf(os.Stderr, "%s:%d lives: %s\n", m.file, m.line, m.key())
			}
			<-places
		}()
	}
	group.Wait()
	return results, nil
}

func (b *testBinary) outcome(m *mutant, tests []test) outcome {
	if len(tests) == 0 {
		return unreached
	}
	slices.SortFunc(tests, func(x, y test) int { return int(x.takes - y.takes) })
	b.mu.Lock()
	killer := b.killers[m.function]
	b.mu.Unlock()
	if i := slices.IndexFunc(tests, func(t test) bool { return t.name == killer }); i >= 0 {
		if result := b.run(m, tests[i:i+1]); result != survived {
			return result
		}
		tests = slices.Delete(tests, i, i+1)
	}
	var batch []test
	for i, t := range tests {
		batch = append(batch, t)
		if t.takes < quick && i+1 < len(tests) && tests[i+1].takes < quick {
			continue
		}
		if result := b.run(m, batch); result != survived {
			return result
		}
		batch = nil
	}
	return survived
}

var failedTest = regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)

// run runs tests with a mutant awake.
func (b *testBinary) run(m *mutant, tests []test) outcome {
	var names []string
	takes := time.Duration(0)
	for _, t := range tests {
		names = append(names, t.name)
		takes += t.takes
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second+10*takes)
	defer cancel()
	output, err := b.command(ctx, []string{"MUTANT=" + strconv.Itoa(m.number)}, "-test.failfast", "-test.run=^("+strings.Join(names, "|")+")$").Output()
	if failed := failedTest.FindSubmatch(output); failed != nil {
		b.mu.Lock()
		b.killers[m.function] = string(failed[1])
		b.mu.Unlock()
	}
	switch {
	case ctx.Err() != nil:
		return late
	case err != nil:
		return killed
	}
	return survived
}

func (b *testBinary) command(ctx context.Context, environment []string, arguments ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, b.path, append(arguments, "-test.short")...)
	command.Dir = b.folder
	command.Env = append(os.Environ(), environment...)
	command.WaitDelay = time.Second
	return command
}

// note finds out which test reaches which mutant.
func (b *testBinary) note(workers int) (map[int][]test, error) {
	output, err := b.command(context.Background(), nil, "-test.list=^(Test|Fuzz|Example)").Output()
	if err != nil {
		return nil, err
	}
	reached := make(map[int][]test)
	var mu sync.Mutex
	var group sync.WaitGroup
	places := make(chan struct{}, workers)
	var failures []error
	for name := range strings.FieldsSeq(string(output)) {
		group.Add(1)
		places <- struct{}{}
		go func() {
			defer group.Done()
			numbers, takes, err := b.noteOne(name)
			<-places
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failures = append(failures, err)
			}
			for _, number := range numbers {
				reached[number] = append(reached[number], test{name, takes})
			}
		}()
	}
	group.Wait()
	return reached, errors.Join(failures...)
}

func (b *testBinary) noteOne(name string) ([]int, time.Duration, error) {
	notes := filepath.Join(b.scratch, name+".txt")
	command := b.command(context.Background(), []string{"MUTANT_NOTE=" + notes}, "-test.run=^"+name+"$")
	start := time.Now()
	if output, err := command.CombinedOutput(); err != nil {
		return nil, 0, fmt.Errorf("%s fails without any mutant: %w\n%s", name, err, output)
	}
	takes := time.Since(start)
	text, err := os.ReadFile(notes)
	if err != nil {
		return nil, 0, err
	}
	var numbers []int
	for field := range bytes.FieldsSeq(text) {
		number, err := strconv.Atoi(string(field))
		if err != nil {
			return nil, 0, err
		}
		numbers = append(numbers, number)
	}
	return numbers, takes, nil
}
