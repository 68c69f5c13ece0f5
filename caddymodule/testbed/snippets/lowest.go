package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/persona"
)

// lowest says how to get the lowest version that a snippet needs.
type lowest struct {
	Language string            `toml:"language"`
	Needs    string            `toml:"needs"`   // regular expression over snippet:needs; its groups are placeholders
	Install  []string          `toml:"install"` // command; it succeeds at once where the version is there already
	Env      map[string]string `toml:"env"`     // of the recipe, besides its own
	Replace  map[string]string `toml:"replace"` // words of the recipe's steps

	needs *regexp.Regexp
}

// checkLowest runs the snippets on the lowest versions that they name, where a
// registry has them, and prints what failed and what could not be had.
func (c *checker) checkLowest(ctx context.Context, out io.Writer, rules []lowest, snippets []*persona.Snippet) bool {
	results := map[outcome]int{}
	installed := map[string]error{}
	why := map[string]int{}
	for _, s := range snippets {
		if s.Needs == "" {
			continue
		}
		reason, err := c.onLowest(ctx, rules, installed, s)
		switch {
		case reason != "":
			results[unchecked]++
			why[s.Language.ID+": "+s.Needs+": "+reason]++
		case err != nil:
			results[failed]++
			fmt.Fprintf(out, "FAILED %s on %s\n\t%s\n", s.Path, s.Needs, strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", "\n\t"))
		default:
			results[passed]++
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(why)) {
		fmt.Fprintf(out, "%d of %s\n", why[reason], reason)
	}
	fmt.Fprintf(out, "lowest versions: %d passed, %d failed, %d could not be had\n", results[passed], results[failed], results[unchecked])
	return results[failed] == 0
}

// onLowest runs one snippet on the lowest version that it names; reason says why it could not.
func (c *checker) onLowest(ctx context.Context, rules []lowest, installed map[string]error, s *persona.Snippet) (reason string, err error) {
	i := slices.IndexFunc(rules, func(l lowest) bool { return l.Language == s.Language.ID && l.needs.MatchString(s.Needs) })
	if i < 0 {
		return "no rule in toolchains.toml", nil
	}
	rule := &rules[i]
	pairs := []string{"{tools}", c.tools}
	match := rule.needs.FindStringSubmatch(s.Needs)
	for i, name := range rule.needs.SubexpNames() {
		if name != "" {
			pairs = append(pairs, "{"+name+"}", match[i])
		}
	}
	replace := strings.NewReplacer(pairs...)
	env := map[string]string{}
	for name, value := range rule.Env {
		env[name] = replace.Replace(value)
	}
	if install := replaced(rule.Install, replace); len(install) > 0 {
		name := strings.Join(install, " ")
		if _, tried := installed[name]; !tried {
			_, installed[name] = c.execute(ctx, ".", &recipe{Env: env}, install)
		}
		if installed[name] != nil {
			return "its registry has it not, or not for this system", nil
		}
	}
	lowered := &checker{catalogue: c.catalogue, tools: c.tools, cache: c.cache, versions: map[string]func() (string, error){}}
	for _, r := range c.recipes {
		if r.Language != s.Language.ID {
			continue
		}
		together := map[string]string{}
		maps.Copy(together, r.Env)
		maps.Copy(together, env)
		steps := make([][]string, len(r.Steps))
		for i, words := range r.Steps {
			steps[i] = slices.Clone(words)
			for j, word := range words {
				if by, ok := rule.Replace[word]; ok {
					steps[i][j] = replace.Replace(by)
				}
			}
		}
		r.Env, r.Steps, r.Shown.Steps = together, steps, nil // what is shown stands alone on any version
		lowered.recipes = append(lowered.recipes, r)
	}
	switch r := lowered.check(ctx, s); r.outcome {
	case unchecked:
		return r.detail, nil
	case failed:
		return "", fmt.Errorf("%s", r.detail)
	}
	return "", nil
}
