package args

import (
	"fmt"
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

// ResolveAll is [Resolve] for a list. A value that is a list itself, with commas, is an
// error.
func ResolveAll(name string, values []string) ([]string, error) {
	resolved := make([]string, len(values))
	for i, value := range values {
		var err error
		if resolved[i], err = Resolve(name, value); err != nil {
			return nil, err
		}
		if strings.Contains(resolved[i], ", ") || strings.HasSuffix(resolved[i], ",") {
			return nil, fmt.Errorf("%s %s: %s", name, resolved[i], noCommas)
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
