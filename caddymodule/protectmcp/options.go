package protectmcp

import (
	"cmp"
	_ "embed"
	"maps"
	"slices"

	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// What the directive stands for: one gateway, and for each server a resource in it and a
// require_token. Words in capitals are filled in: by the arguments, and by options as they are
// written, so that errors name their lines. A line of one word is left out if the option of
// that name is given.
var (
	//go:embed expansion.caddyfile
	ofGateway []byte
	//go:embed resource.caddyfile
	ofResource []byte
	//go:embed guard.caddyfile
	ofGuard []byte
)

// The blocks that options go to. All others are those of identity_gateway.
const (
	gatewayOptions  = "GATEWAY_OPTIONS"
	clientOptions   = "CLIENT_OPTIONS"
	resourceOptions = "RESOURCE_OPTIONS"
	tokenOptions    = "TOKEN_OPTIONS"
)

// slots are the options by where they go.
var slots = map[string][]string{
	"scope": {resourceOptions}, "default_scope": {resourceOptions}, "idp": {resourceOptions}, "introspection": {resourceOptions}, "exchange": {resourceOptions},
	"tokens": {resourceOptions}, "upstream_token": {resourceOptions, tokenOptions},
	"tool": {tokenOptions}, "header": {tokenOptions}, "public": {tokenOptions}, "origin": {tokenOptions},
	"acr": {tokenOptions}, "max_age": {tokenOptions},
	"metadata_documents": {clientOptions}, "registration": {clientOptions}, "allow": {clientOptions},
	"dpop": {clientOptions, tokenOptions},
}

// isOfServer reports an option that a server may have for itself. What is public is beside them.
func isOfServer(name string) bool {
	return name != "public" && len(slots[name]) > 0 && !slices.Contains(slots[name], clientOptions)
}

// options are what a block says.
type options struct {
	arguments map[string]string
	slots     map[string][]caddyfile.Token
	given     map[string]bool
}

func newOptions() *options {
	return &options{make(map[string]string), make(map[string][]caddyfile.Token), make(map[string]bool)}
}

// optional are lines of the expansion that the word off leaves out.
var optional = map[string]bool{"discover": true, "metadata_documents": true, "registration": true}

// add puts an option where it goes.
func (o *options) add(name string, segment caddyfile.Segment) {
	o.given[name] = true
	if optional[name] && len(segment) == 2 && segment[1].Text == "off" {
		return
	}
	for _, slot := range slots[name] {
		given := segment
		if name == "upstream_token" && slot == resourceOptions { // which is in the token only if the resource has it there
			given = segment[:1]
		}
		o.slots[slot] = append(o.slots[slot], given...)
	}
	if slots[name] == nil {
		o.slots[gatewayOptions] = append(o.slots[gatewayOptions], segment...)
	}
	switch {
	case name == "tokens" && len(segment) == 2:
		o.arguments["TOKENS"] = segment[1].Text
	case name == "transport": // on which the issuer of the identity provider's tokens is reached, too
		o.slots["TRANSPORT"] = segment
	}
}

// with are the options of a server, among those of all.
func (o *options) with(of *options) *options {
	all := &options{maps.Clone(o.arguments), maps.Clone(o.slots), maps.Clone(o.given)}
	maps.Copy(all.arguments, of.arguments)
	maps.Copy(all.given, of.given)
	for slot, tokens := range of.slots {
		all.slots[slot] = slices.Concat(all.slots[slot], tokens)
	}
	all.arguments["TOKENS"] = cmp.Or(all.arguments["TOKENS"], string(idp.GatewayTokens))
	all.arguments["ISSUER"] = all.arguments["ORIGIN"]
	if all.arguments["TOKENS"] == string(idp.IdPTokens) {
		all.arguments["ISSUER"] = all.arguments["AUTH_URL"]
		all.slots[tokenOptions] = slices.Concat(all.slots[tokenOptions], all.slots["TRANSPORT"])
	}
	return all
}

// expand fills in a template. Lines of another file begin anew, so that each server has one.
func (o *options) expand(template []byte) ([]caddyfile.Token, error) {
	words, err := caddyfile.Tokenize(template, "protect_mcp/"+o.arguments["URL"])
	if err != nil {
		return nil, err
	}
	var tokens []caddyfile.Token
	for i, t := range words {
		if argument, ok := o.arguments[t.Text]; ok {
			t.Text = argument
			tokens = append(tokens, t)
			continue
		}
		alone := i > 0 && words[i-1].Line < t.Line && i+1 < len(words) && words[i+1].Line > t.Line
		switch filled := o.slots[t.Text]; {
		case filled != nil:
			tokens = append(tokens, filled...)
		case !alone || t.Text == "}" || isLine(t.Text) && !o.given[t.Text]:
			tokens = append(tokens, t)
		}
	}
	return tokens, nil
}

// isLine reports a line that is a word, and no slot that nothing was put into.
func isLine(word string) bool { return word[0] >= 'a' && word[0] <= 'z' }
