package doctest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/must"
)

// maxOptions is how many the directives have together. Each is one more to read past for
// somebody who looks for another: a new one takes the place of one that goes.
const maxOptions = 115

// Each option has a reader, and stands in a block of a page for him, or in the Caddyfile of an
// example, which other tests load. Those of protect_mcp are those of the directives that it
// stands for.
func TestEveryOptionHasABlock(t *testing.T) {
	shown := make(map[string]bool)
	for _, d := range documents(t) {
		for _, b := range d.Blocks {
			if b.Language == "caddyfile" && b.Comment == "" {
				show(t, shown, b.Code)
			}
		}
	}
	for _, path := range files(t, func(name string) bool { return strings.HasSuffix(strings.ToLower(name), "caddyfile") }) {
		code := must.Have(os.ReadFile(filepath.Join(root, path)))(t)
		show(t, shown, string(code))
	}
	all := optionsOfDirectives(t)
	var hidden []string
	for _, option := range all {
		if !shown[option] {
			hidden = append(hidden, option)
		}
	}
	require.Empty(t, hidden, "give each a block in the page of somebody who needs it, or take it out")
	require.LessOrEqual(t, len(all), maxOptions)
	t.Logf("%d options", len(all))
}

// shared are the files with options of several blocks, and the block that they count in.
var shared = map[string]string{"caddymodule/language/options.go": "text_segmentation", "caddymodule/requiretoken/caddyfile.go": "require_token"}

// optionsOfDirectives are all options, each after the name of its block, such as "client scope".
func optionsOfDirectives(t *testing.T) (all []string) {
	t.Helper()
	for _, path := range files(t, func(name string) bool { return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") }) {
		if !strings.HasPrefix(path, "caddymodule/") || strings.HasPrefix(path, "caddymodule/testbed/") {
			continue
		}
		source := must.Have(parser.ParseFile(token.NewFileSet(), filepath.Join(root, path), nil, parser.SkipObjectResolution))(t)
		var within []ast.Node // the nodes around
		ast.Inspect(source, func(node ast.Node) bool {
			switch node := node.(type) {
			case nil:
				within = within[:len(within)-1]
				return true
			case *ast.KeyValueExpr: // an element of args.Options{…}
				if name, ok := stringOf(node.Key); ok && isOfArgs(within[len(within)-1].(*ast.CompositeLit).Type, "Options") {
					all = append(all, blockAround(within)+" "+name)
				}
			case *ast.IndexExpr: // what several blocks have
				if name, ok := stringOf(node.Index); ok && shared[path] != "" {
					all = append(all, shared[path]+" "+name)
				}
			}
			within = append(within, node)
			return true
		})
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// blockAround is the name of the innermost block: the second argument of args.Block and args.Alone.
func blockAround(within []ast.Node) string {
	for _, node := range slices.Backward(within) {
		call, ok := node.(*ast.CallExpr)
		if !ok || !isOfArgs(call.Fun, "Block") && !isOfArgs(call.Fun, "Alone") {
			continue
		}
		if joined, ok := call.Args[1].(*ast.BinaryExpr); ok { // with what it is for
			name, _ := stringOf(joined.X)
			return strings.TrimSpace(name)
		}
		name, _ := stringOf(call.Args[1])
		return name
	}
	return ""
}

func isOfArgs(node ast.Expr, name string) bool {
	selector, ok := node.(*ast.SelectorExpr)
	if !ok || selector.Sel.Name != name {
		return false
	}
	from, ok := selector.X.(*ast.Ident)
	return ok && from.Name == "args"
}

func stringOf(node ast.Expr) (string, bool) {
	literal, ok := node.(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(literal.Value)
	return text, err == nil
}

// show notes the options in a Caddyfile.
func show(t *testing.T, shown map[string]bool, code string) {
	t.Helper()
	tokens := must.Have(caddyfile.Tokenize([]byte(code), "Caddyfile"))(t)
	var blocks []string
	line := 0
	for i, token := range tokens {
		switch {
		case token.Text == "}":
			blocks = blocks[:len(blocks)-1]
		case token.Text == "{":
			blocks = append(blocks, blockOf(tokens, i))
		case token.Line != line && len(blocks) > 0:
			for _, block := range standsFor(blocks, token.Text) {
				shown[block+" "+token.Text] = true
			}
		}
		line = token.Line + strings.Count(token.Text, "\n")
	}
}

// blockOf is the name of the block that begins at a token.
func blockOf(tokens []caddyfile.Token, i int) string {
	first := i
	for first > 0 && tokens[first-1].Line == tokens[i].Line {
		first--
	}
	name := tokens[first].Text
	if name == "replay" || strings.HasPrefix(name, "@") && first+1 < i { // of a module, or of a matcher
		name = strings.TrimPrefix(name+" "+tokens[first+1].Text, tokens[first].Text+" ")
		if tokens[first].Text == "replay" {
			name = "replay " + name
		}
	}
	return name
}

// standsFor are the blocks whose option it is in the innermost one.
func standsFor(blocks []string, option string) []string {
	switch inner := blocks[len(blocks)-1]; {
	case inner == "protect_mcp" && (option == "scope" || option == "introspection"):
		return []string{"resource"}
	case inner == "server" && slices.Contains(blocks, "protect_mcp"):
		return []string{"resource", "require_token"}
	case inner == "protect_mcp":
		return []string{"identity_gateway", "resource", "dynamic_clients", "require_token"}
	case inner == "client" && slices.Contains(blocks, "protect_mcp"):
		return []string{"idp_client"}
	case inner == "personification":
		return []string{inner, "text_segmentation"}
	default:
		return []string{inner}
	}
}
