package terminal_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/terminal"
)

func TestVisible(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"text":                     {"Look:\n\tfor é in 何か", "Look:\n\tfor é in 何か"},
		"clears the screen":        {"\x1b[2J", "␛[2J"},
		"sets the title":           {"\x1b]0;root\x07", "␛]0;root␇"},
		"writes over the line":     {"FAIL\rok  ", "FAIL␍ok  "},
		"goes back":                {"1\b2", "1␈2"},
		"NUL and DEL":              {"\x00\x7f", "␀␡"},
		"colors, with one byte":    {"\u009b31m", "\ufffd31m"},
		"a byte that is not UTF-8": {"a\x9b31m", "a\ufffd31m"},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, tt.want, terminal.Visible(tt.text)) })
	}
}
