package mcp

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// AnyTool is the name of the rule for all tools for which there is no other.
const AnyTool = "*"

// Policy is the scopes that a tool's calls need, by the tool's name, a pattern of names such
// as delete_*, in which * stands for any characters, or [AnyTool].
type Policy map[string][]string

// Check names the first mistake.
func (p Policy) Check() error {
	for name, scopes := range p {
		if name == "" || len(scopes) == 0 {
			return fmt.Errorf("tool %q needs a name and at least one scope", name)
		}
	}
	return nil
}

// Scopes are the scopes that calls need: those that every request does, and then those of
// tools, of all names and patterns that fit, without repetition, in the order of the calls.
func (p Policy) Scopes(always []string, calls []Call) []string {
	needed := slices.Clone(always)
	for _, call := range calls {
		if call.Method != ToolCall {
			continue
		}
		for _, scope := range p.of(call.Name) {
			if !slices.Contains(needed, scope) {
				needed = append(needed, scope)
			}
		}
	}
	return needed
}

// of are the scopes of one tool.
func (p Policy) of(tool string) []string {
	scopes, found := p[tool]
	if found = found && tool != AnyTool; !found {
		scopes = nil
	}
	for _, pattern := range slices.Sorted(maps.Keys(p)) {
		if pattern != AnyTool && pattern != tool && fits(pattern, tool) {
			scopes, found = slices.Concat(scopes, p[pattern]), true
		}
	}
	if !found {
		return p[AnyTool]
	}
	return scopes
}

// fits reports whether a name is one of a pattern, in time linear in the name for each *.
func fits(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	rest, ok := strings.CutPrefix(name, parts[0])
	if !ok || len(parts) == 1 {
		return ok && rest == ""
	}
	for _, part := range parts[1 : len(parts)-1] {
		if _, rest, ok = strings.Cut(rest, part); !ok {
			return false
		}
	}
	return strings.HasSuffix(rest, parts[len(parts)-1])
}
