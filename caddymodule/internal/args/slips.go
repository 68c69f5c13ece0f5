package args

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
)

var (
	variable = regexp.MustCompile(`^(?:env\.[A-Za-z_]\w*|\$\{?[A-Z][A-Z0-9_]+\}?)$`)
	toFillIn = regexp.MustCompile(`^<[^<>]+>$`)
)

// checkSlips finds what is no value, but meant to become one: a placeholder without its braces,
// and what documentation has in the place of a value.
func (s Segment) checkSlips() (caddyfile.Token, error) {
	for _, token := range s {
		if err := checkSlip(token.Text); err != nil {
			return token, err
		}
	}
	return caddyfile.Token{}, nil
}

// checkSlip quotes no value that could be a secret.
func checkSlip(value string) error {
	switch name := strings.Trim(strings.TrimPrefix(value, "env."), "${}"); {
	case variable.MatchString(value):
		return fmt.Errorf("%s is taken as it is written; for the variable write {env.%s}", value, name)
	case toFillIn.MatchString(value):
		return errors.New("<…> stands for a value: write that, or {env.NAME} for the variable NAME")
	case isQuoted(value):
		return errors.New("the value begins and ends with quotation marks, which become part of it: leave them out")
	}
	for _, kind := range [...]string{"{env.", "{file."} {
		if _, rest, found := strings.Cut(value, kind); found && !strings.Contains(rest, "}") {
			return fmt.Errorf("%s has no closing brace; write %s}", kind+rest, kind+rest)
		}
	}
	return nil
}

func isQuoted(value string) bool {
	return len(value) > 1 && (value[0] == '"' || value[0] == '\'') && value[len(value)-1] == value[0]
}
