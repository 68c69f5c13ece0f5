package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/command"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
	"github.com/identity-gateway/caddy-identity-gateway/persona"
)

const (
	stepTimeout    = 4 * time.Minute // compilers on a busy machine
	versionTimeout = 2 * time.Minute
	shownOutput    = 2000 // bytes of a failing step's output
)

//go:embed checks
var checks embed.FS

// outcome is the result of checking one snippet.
type outcome int

const (
	passed outcome = iota
	failed
	unchecked // no recipe, or its tool is not installed
)

type result struct {
	snippet *persona.Snippet
	recipe  *recipe // nil: none
	outcome outcome
	detail  string // why not passed
}

// checker runs snippets through their toolchains.
type checker struct {
	catalogue string // folder of the catalogue
	tools     string // folder of install.sh
	cache     string // folder of remembered successes
	recipes   []recipe

	mu       sync.Mutex
	versions map[string]func() (string, error) // by command line
}

func (c *checker) check(ctx context.Context, s *persona.Snippet) result {
	res := result{snippet: s, outcome: failed}
	source, err := os.ReadFile(filepath.Join(c.catalogue, filepath.FromSlash(s.Path)))
	if err != nil {
		res.detail = err.Error()
		return res
	}
	res.recipe = recipeFor(c.recipes, s.Language.ID, string(source))
	if res.recipe == nil {
		res.outcome, res.detail = unchecked, "no recipe in toolchains.toml applies to this file"
		return res
	}
	replace, err := res.recipe.placeholders(c.tools, s.Task.ID, string(source))
	if err != nil {
		res.detail = err.Error()
		return res
	}
	tool, err := c.version(ctx, res.recipe, replace)
	if err != nil {
		res.outcome, res.detail = unchecked, fmt.Sprintf("%s is missing (%v): see install.sh", res.recipe.Tool, err)
		return res
	}
	remembered := c.remembered(res.recipe, tool, s, source)
	if _, err := os.Stat(remembered); err == nil {
		res.outcome = passed
		return res
	}
	if err := c.run(ctx, res.recipe, replace, s, source); err != nil {
		res.detail = err.Error()
		return res
	}
	res.outcome = passed
	if err := os.WriteFile(remembered, nil, 0o600); err != nil {
		res.detail = err.Error()
	}
	return res
}

// remembered is the file that stands for a success of just this recipe, tool and source.
func (c *checker) remembered(r *recipe, tool string, s *persona.Snippet, source []byte) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00%s\x00%q\x00%q\x00%q\x00%q\x00%q\x00%s\x00%s\x00", s.Language.ID, s.Task.ID, r.Source, r.Files, r.Env, r.Steps, r.Shown, tool, furtherCheck(s))
	h.Write(source)
	return filepath.Join(c.cache, hex.EncodeToString(h.Sum(nil)))
}

// version runs the recipe's version command, once for all its snippets.
func (c *checker) version(ctx context.Context, r *recipe, replace *strings.Replacer) (string, error) {
	name := strings.Join(r.Version, "\x00")
	c.mu.Lock()
	if c.versions[name] == nil {
		c.versions[name] = sync.OnceValues(func() (string, error) {
			ctx, cancel := context.WithTimeout(ctx, versionTimeout)
			defer cancel()
			return c.execute(ctx, ".", r, replaced(r.Version, replace))
		})
	}
	version := c.versions[name]
	c.mu.Unlock()
	return version()
}

func replaced(words []string, replace *strings.Replacer) []string {
	out := slices.Clone(words)
	for i := range out {
		out[i] = replace.Replace(out[i])
	}
	return out
}

// run takes the steps in an empty folder and compares the output of the last
// one. Then it checks, in folders of their own, the program that readers get,
// where the file has more than that, and the code without its usage.
func (c *checker) run(ctx context.Context, r *recipe, replace *strings.Replacer, s *persona.Snippet, source []byte) (err error) {
	defer fail.Catch(&err)
	folder := fail.Must(newFolder(r, replace, source))
	defer os.RemoveAll(folder)
	output := fail.Must(c.take(ctx, r.Steps, folder, r, replace))
	if len(r.Shown.Steps) > 0 && len(s.Code) < len(source) {
		folder := fail.Must(newFolder(r, replace, []byte(r.Shown.before(s.Code)+s.Code+"\n")))
		defer os.RemoveAll(folder)
		if _, err := c.take(ctx, r.Shown.Steps, folder, r, replace); err != nil {
			return fmt.Errorf("what is shown does not stand alone: %w", err)
		}
	}
	if r.How == howRun || len(s.Prints) > 0 {
		fail.Check(compare(s.Prints, output))
	}
	if s.Program != "" || s.HasHidden && len(s.Output) > 0 {
		fail.Check(c.runProgram(ctx, r, replace, s))
	}
	if script := furtherCheck(s); script != "" {
		ctx, cancel := context.WithTimeout(ctx, stepTimeout)
		defer cancel()
		_, err = c.execute(ctx, folder, r, []string{"bash", "-euc", script, "check", r.Source})
	}
	return err
}

// runProgram runs what readers paste into an empty file: the text of a seed.
func (c *checker) runProgram(ctx context.Context, r *recipe, replace *strings.Replacer, s *persona.Snippet) error {
	if name := r.imported(s.Program); name != "" {
		return fmt.Errorf("the usage imports %s of the recipe, which readers do not have", name)
	}
	folder, err := newFolder(r, replace, []byte(s.WithUsage()+"\n"))
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	output, err := c.take(ctx, r.Steps, folder, r, replace)
	if err == nil && len(s.Output) > 0 {
		err = compare(s.Output, output)
	}
	if err != nil {
		return fmt.Errorf("the code and its usage, without what is hidden: %w", err)
	}
	return nil
}

// newFolder returns a new folder with the recipe's files and the source.
func newFolder(r *recipe, replace *strings.Replacer, source []byte) (string, error) {
	folder, err := os.MkdirTemp("", "snippet-")
	if err != nil {
		return "", err
	}
	contents := map[string][]byte{r.Source: source}
	for name, text := range r.Files {
		contents[name] = []byte(replace.Replace(text))
	}
	for name, content := range contents {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err = os.MkdirAll(filepath.Dir(file), 0o700); err == nil {
			err = os.WriteFile(file, content, 0o600)
		}
		if err != nil {
			os.RemoveAll(folder)
			return "", err
		}
	}
	return folder, nil
}

// take takes the steps in the folder; the output is the last one's.
func (c *checker) take(ctx context.Context, steps [][]string, folder string, r *recipe, replace *strings.Replacer) (output string, err error) {
	for _, words := range steps {
		ctx, cancel := context.WithTimeout(ctx, stepTimeout)
		output, err = c.execute(ctx, folder, r, replaced(words, replace))
		cancel()
		if err != nil {
			return "", err
		}
	}
	return output, nil
}

// furtherCheck returns the script of checks/<task>/<language>.sh, for what a
// snippet cannot show by what it prints; most have none. It runs in the
// snippet's folder with the name of its file as $1, after the recipe's steps.
func furtherCheck(s *persona.Snippet) string {
	script, err := checks.ReadFile("checks/" + s.Task.ID + "/" + s.Language.ID + ".sh")
	if err != nil {
		return ""
	}
	return string(script)
}

// execute runs a command and returns its standard output.
func (c *checker) execute(ctx context.Context, folder string, r *recipe, words []string) (string, error) {
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir = folder
	cmd.Env = c.environment(r)
	command.EndWithChildren(cmd)
	cmd.WaitDelay = time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if ctx.Err() != nil {
		err = fmt.Errorf("took longer than allowed")
	}
	if err != nil {
		if _, ok := errors.AsType[*exec.Error](err); ok {
			return "", err
		}
		return "", fmt.Errorf("%s: %w\n%s", words[0], err, tail(stderr.String()+stdout.String()))
	}
	return stdout.String(), nil
}

// useTools has this process find programs among the installed tools first.
func useTools(tools string) error {
	return os.Setenv("PATH", strings.Join([]string{
		filepath.Join(tools, "bin"),
		filepath.Join(tools, "venv", "bin"),
		filepath.Join(tools, "node", "node_modules", ".bin"),
		os.Getenv("PATH"),
	}, string(os.PathListSeparator)))
}

// environment is the same everywhere: UTC, UTF-8.
func (c *checker) environment(r *recipe) []string {
	env := append(os.Environ(), "TZ=UTC", "LC_ALL=C.UTF-8", "NODE_PATH="+filepath.Join(c.tools, "node", "node_modules"))
	for name, value := range r.Env {
		env = append(env, name+"="+strings.ReplaceAll(value, "{tools}", c.tools))
	}
	return env
}

func tail(text string) string {
	if len(text) > shownOutput {
		return "…" + text[len(text)-shownOutput:]
	}
	return text
}

// compare holds the output to the lines that the snippet promises.
func compare(want []string, output string) error {
	var got []string
	for line := range strings.SplitSeq(strings.TrimRight(output, "\r\n\t "), "\n") {
		got = append(got, strings.TrimRight(line, " \t\r"))
	}
	if len(got) == 1 && got[0] == "" {
		got = nil
	}
	switch {
	case len(got) == 0:
		return errors.New("the program prints nothing: show that it works, and add snippet:prints")
	case !slices.Equal(got, want):
		return fmt.Errorf("the output differs from snippet:prints\n--- printed\n%s\n--- promised\n%s",
			strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	return nil
}
