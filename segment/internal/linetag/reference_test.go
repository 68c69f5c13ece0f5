package linetag

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReferencesAreTokensOfTheirOwn(t *testing.T) {
	for _, c := range []struct {
		text string
		want string // the reference that the text begins with; "" for none
		as   uint32
	}{
		{"<@427> hi", "<@427>", shapeMention},
		{"<@&427>", "<@&427>", shapeMention},
		{"<@U02ABC|ann>", "<@U02ABC|ann>", shapeMention},
		{"<#427>", "<#427>", shapeMention},
		{"<t:1700000000:R>", "<t:1700000000:R>", shapeMention},
		{"<:name:115>", "<:name:115>", shapeEmoji},
		{"<a:name:115>!", "<a:name:115>", shapeEmoji},
		{":tada: yes", ":tada:", shapeEmoji},
		{":+1:", ":+1:", shapeEmoji},
		{":x:", ":x:", shapeEmoji},
		{"<:x:1>", "<:x:1>", shapeEmoji},
		{":D", ":D", shapeEmoji},
		{":-) yes", ":-)", shapeEmoji},
		{";)", ";)", shapeEmoji},
		{":'(((", ":'(((", shapeEmoji},
		{"🎉🎉 yes", "🎉🎉", shapeEmoji},
		{"❤️", "", 0},
		{"<https://example.com>", "<https://example.com>", shapeLink},
		{"https://example.com/a?b=c) and", "https://example.com/a?b=c", shapeLink},
		{"www.example.com", "www.example.com", shapeLink},
		{"+49 170 1234567", "+49 170 1234567", shapePhone},
		{"+1 (555) 010-9999", "+1 (555) 010-9999", shapePhone},

		{"<div>", "", 0},
		{":Don", "", 0},
		{":p,", "", 0},
		{":", "", 0},
		{";", "", 0},
		{"::", "", 0},
		{"<T>(x: T)", "", 0},
		{"<@", "", 0},
		{"<:", "", 0},
		{"<T: Clone>", "", 0},
		{":name", "", 0},
		{"::std::vec", "", 0},
		{":name:x", "", 0},
		{"http.Get(url)", "", 0},
		{"+1", "", 0},
		{"+1234567", "", 0},
		{"+    10 20", "", 0},
		{"\xf0\x9f", "", 0},
	} {
		end, shape := reference(c.text, 0, true)
		require.Equal(t, c.want, c.text[:end], c.text)
		require.Equal(t, c.as, shape, c.text)
	}
}

func TestAReferenceInAWordIsNone(t *testing.T) {
	for _, text := range []string{":name:", "+49 170 1234567"} {
		end, _ := reference(text, 0, false)
		require.Zero(t, end, text)
	}
}
