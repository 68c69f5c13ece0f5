package doctest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const document = "# A `code` heading: first\r\n\r\n" +
	"See [this](other.md#part), <https://example.com/> and ![a](b.png).\r\n\r\n" +
	"<!-- not run: a reason -->\r\n```sh\r\necho 1\r\n```\r\n\r\n" +
	"## Same\n\n- in a list\n\n  ~~~json\n  {}\n  ~~~\n\n## Same\n\n" +
	"| a |\n|---|\n| [cell](cell.md) |\n\n<!--\ntwo\nlines\n-->\n\n```\nbare\n```\n\n    indented\n"

func TestParse(t *testing.T) {
	d := Parse("a.md", []byte(document))
	require.Equal(t, []string{"a-code-heading-first", "same", "same-1"}, d.Anchors)
	require.Equal(t, []Block{
		{Path: "a.md", Line: 7, Section: "A code heading: first", Language: "sh", Code: "echo 1\n", Comment: "not run: a reason"},
		{Path: "a.md", Line: 15, Section: "Same", Language: "json", Code: "{}\n"},
		{Path: "a.md", Line: 30, Section: "Same", Code: "bare\n", Comment: "two\nlines"},
		{Path: "a.md", Line: 33, Section: "Same", Code: "indented\n"},
	}, d.Blocks)
	var targets []string
	for _, link := range d.Links {
		targets = append(targets, link.Target)
	}
	require.Equal(t, []string{"other.md#part", "https://example.com/", "b.png", "cell.md"}, targets)
	require.Equal(t, 3, d.Links[0].Line)
	require.Equal(t, "a.md:7", d.Blocks[0].String())
}
