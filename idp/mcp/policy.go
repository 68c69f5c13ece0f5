package mcp

import (
	"fmt"
	"slices"
)

// AnyTool is the name of the rule for all tools that have none of their own.
const AnyTool = "*"

// Policy is the scopes that a tool's calls need, by the tool's name, or [AnyTool].
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
// tools, without repetition, in the order of the calls.
func (p Policy) Scopes(always []string, calls []Call) []string {
	needed := slices.Clone(always)
	for _, call := range calls {
		if call.Method != ToolCall {
			continue
		}
		scopes, ok := p[call.Name]
		if !ok {
			scopes = p[AnyTool]
		}
		for _, scope := range scopes {
			if !slices.Contains(needed, scope) {
				needed = append(needed, scope)
			}
		}
	}
	return needed
}
