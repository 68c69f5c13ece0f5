package main

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment"
)

func TestTheCasesAreWellFormed(t *testing.T) {
	wants := map[string]bool{text: true, code: true}
	for _, l := range segment.Languages() {
		wants[l.String()] = true
	}
	require.Len(t, messages(), 160)
	texts := map[string]bool{}
	for _, c := range messages() {
		text := strings.Join(c.Lines, "\n")
		require.NotEmpty(t, strings.TrimSpace(text), c.Report)
		require.NotContains(t, strings.Join(c.Lines, ""), "\n", "%s: one string for each line", c.Report)
		require.False(t, texts[text], "%s: the same text is there twice", c.Report)
		texts[text] = true
		for part := range strings.SplitSeq(c.Want, " + ") {
			require.True(t, wants[part], "%s: %q is no label", c.Report, part)
		}
		require.NotEmpty(t, c.Report, c.Source)
		if c.Tool == "" {
			require.Empty(t, c.Source)
			continue
		}
		link, err := url.Parse(c.Source)
		require.NoError(t, err)
		require.Equal(t, "https", link.Scheme, c.Source)
		require.Regexp(t, `^/[^/]+/[^/]+/(issues|pull)/[0-9]+$`, link.Path)
	}
}

func TestFoundJoinsWhatAMessageIsMadeOf(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"words", "Thanks a lot, that was what we needed.", text},
		{"code", "```go\nreturn nil\n```", "go"},
		{"both", "Please try this instead:\n\n```go\nreturn nil\n```", text + " + go"},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, err := read(&message{Lines: strings.Split(c.text, "\n")})
			require.NoError(t, err)
			require.Equal(t, c.want, found)
		})
	}
}
