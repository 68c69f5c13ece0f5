package segmentation

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

func TestBlocks(t *testing.T) {
	for labels, want := range map[string][][2]int{
		"":         nil,
		"T-T":      nil,
		"C":        {{0, 0}},
		"TC-CT":    {{1, 3}},
		"-C-TCC--": {{1, 1}, {4, 5}},
	} {
		require.Equal(t, want, Blocks(strings.Split(labels, "")), labels)
	}
}

func TestLabelFenced(t *testing.T) {
	marked := ""
	label := func(text string) (code []bool) {
		marked = text
		for line := range strings.SplitSeq(text, "\n") {
			code = append(code, line == "b")
		}
		return code
	}
	require.Equal(t, []bool{false, false, false, true, false, false}, labelFenced("Try\na\n\nb\nor\nc", [][2]int{{1, 3}, {5, 5}}, label))
	require.Equal(t, "Try\n```\na\n\nb\n```\nor\n```\nc\n```", marked)
	require.Equal(t, []bool{false, false}, labelFenced("```\na", [][2]int{{1, 1}}, label))
	require.Equal(t, "```\n````\na\n````", marked, "the fence is longer than what looks like one")
}

func TestFenceCounts(t *testing.T) {
	// All in fences is code, and so is what has a semicolon.
	label := func(text string) (code []bool) {
		inside := false
		for _, l := range strings.Split(text, "\n") {
			if l == "```" {
				inside = !inside
			}
			code = append(code, inside || strings.Contains(l, ";"))
		}
		return code
	}
	labels := []string{corpus.Text, corpus.Code, corpus.Text, corpus.Code, corpus.Code}
	var c FenceCounts
	c.Add("Try\na;\nor\nb;\nc", labels, label)
	require.Equal(t, FenceCounts{Messages: 1, Text: 2, Blocks: 2, Found: 1}, c)
	c.Add("Try; or not\na;", []string{corpus.Text, corpus.Code}, label)
	require.Equal(t, FenceCounts{Messages: 2, Text: 3, TextAsCode: 1, Blocks: 2, Found: 1}, c)
	c.Add("Try", []string{corpus.Text}, label)
	require.Equal(t, 2, c.Messages, "a message without code says nothing of fences")
}
