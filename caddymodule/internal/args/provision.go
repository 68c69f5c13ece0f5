package args

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/caddyserver/caddy/v2"
)

// HasPlaceholder reports a value that is not known before the configuration is loaded.
func HasPlaceholder(value string) bool { return strings.Contains(value, "{") }

// Resolve replaces the placeholders in the value of the option name, such as
// {env.AUTH_URL} or {file./run/secrets/origin}. It belongs into Provision. A
// placeholder that is unknown or empty is an error.
func Resolve(name, value string) (string, error) {
	resolved, err := caddy.NewReplacer().ReplaceOrErr(value, true, true)
	if err == nil {
		return resolved, nil
	}
	_, placeholder, _ := strings.Cut(err.Error(), "{")
	placeholder, _, _ = strings.Cut(placeholder, "}")
	kind, of, _ := strings.Cut(placeholder, ".")
	switch kind {
	case "env":
		err = fmt.Errorf("the environment variable %s is not set, or empty: {%s}", of, placeholder)
	case "file":
		err = fmt.Errorf("the file %s is missing, empty, or not to be read by this user: {%s}", of, placeholder)
	}
	return "", fmt.Errorf("%s: %w", name, err)
}

// Place is where a string stands in a configuration.
type Place struct {
	// Name is for messages: "client web: redirect_uri".
	Name string
	// Key is the name of the object's member that it is in, InList reports one of several.
	Key    string
	InList bool
}

// MapStrings unmarshals into to what from is as JSON, with f of each string in the place of
// that string. The error is the first one of f.
func MapStrings(from, to any, f func(at Place, value string) (string, error)) error {
	text, err := json.Marshal(from)
	if err != nil {
		return err
	}
	var node any
	if err := json.Unmarshal(text, &node); err != nil {
		return err
	}
	if node, err = mapStrings(Place{}, node, f); err != nil {
		return err
	}
	if text, err = json.Marshal(node); err != nil {
		return err
	}
	return json.Unmarshal(text, to)
}

func mapStrings(at Place, node any, f func(at Place, value string) (string, error)) (_ any, err error) {
	switch node := node.(type) {
	case string:
		return f(at, node)
	case []any:
		at.Name, at.Key, at.InList = singular(at.Name), singular(at.Key), true // as the Caddyfile's option is called
		for i := range node {
			if node[i], err = mapStrings(at, node[i], f); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		within := at.Name
		if at.InList { // one of several clients or resources
			within = at.Key
			if name, ok := cmp.Or(node["id"], node["uri"]).(string); ok {
				within += " " + name + ":"
			}
		}
		for _, key := range slices.Sorted(maps.Keys(node)) {
			if node[key], err = mapStrings(Place{Name: strings.TrimSpace(within + " " + key), Key: key}, node[key], f); err != nil {
				return nil, err
			}
		}
	}
	return node, nil
}

func singular(key string) string {
	if hash, ok := strings.CutSuffix(key, "hashes"); ok {
		return hash + "hash"
	}
	return strings.TrimSuffix(key, "s")
}

// ResolveAt is [Resolve] for [MapStrings].
func ResolveAt(at Place, value string) (string, error) {
	resolved, err := Resolve(at.Name, value)
	if err == nil && resolved != value && !strings.HasPrefix(resolved, "$") { // what a Caddyfile has was checked there
		if err = checkSlip(resolved); err != nil {
			err = fmt.Errorf("%s %s: %w", at.Name, value, err)
		}
	}
	if err == nil && at.InList && (strings.Contains(resolved, ", ") || strings.HasSuffix(resolved, ",")) {
		err = fmt.Errorf("%s %s: %s", at.Name, resolved, noCommas)
	}
	return resolved, err
}

// ResolveAll is [Resolve] for a list. A value that is a list itself, with commas, is an
// error.
func ResolveAll(name string, values []string) ([]string, error) {
	resolved := make([]string, len(values))
	for i, value := range values {
		var err error
		if resolved[i], err = ResolveAt(Place{Name: name, InList: true}, value); err != nil {
			return nil, err
		}
	}
	return resolved, nil
}

// Limit is the value of the option name, or fallback if the configuration leaves
// it out (0). A negative value is an error.
func Limit[N ~int | ~int64](name string, value, fallback N) (N, error) {
	switch {
	case value < 0:
		return 0, fmt.Errorf("%s must not be negative; leave it out for the default", name)
	case value == 0:
		return fallback, nil
	}
	return value, nil
}
