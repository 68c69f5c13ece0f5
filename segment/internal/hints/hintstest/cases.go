// Package hintstest has messages with the hints that the line model gets with
// them, for the tests of all who ask the model.
package hintstest

import (
	"fmt"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/linetag"
)

// Case is a message and the lines that the model sees of it.
type Case struct {
	Name, Text string
	Want       []string // see Show
}

// Cases are messages for each rule of package hints.
var Cases = []Case{
	{"plain text", "Hello,\n\nx = 1\n", []string{"free|Hello,", "free|", "free|x = 1"}},
	{
		"the lines of a fence are not seen", "Try\n```go\nx := 1\n```\nplease",
		[]string{"free|Try", "code|x := 1", "free|please"},
	},
	{
		"of a long fence two lines at each end are seen", "Try\n~~~\na\nb\nc\nd\ne\nf\n~~~\n",
		[]string{"free|Try", "code|a", "code|b", "code|e", "code|f"},
	},
	{
		"so they are where lines end with carriage returns", "Try\r```\ra\rb\rc\rd\re\r```\rit",
		[]string{"free|Try", "code|a", "code|b", "code|d", "code|e", "free|it"},
	},
	{
		"and with both", "```\r\na\r\nb\r\nc\r\n\r\ne\r\n```\r\n",
		[]string{"code|a", "code|b", "code|", "code|e"},
	},
	{
		"of a fence with two lines both are seen once", "```\ra\rb\r```\r",
		[]string{"code|a", "code|b"},
	},
	{
		"a fence without content is text, markup and all", "Try\n```\n\n```\nplease",
		[]string{"free|Try", "text|```", "text|", "text|```", "free|please"},
	},
	{
		"indented code is a question", "Try\n\n    x = 1\n    y = 2\n    z = 3\n\nplease",
		[]string{"free|Try", "free|", "indented|    x = 1", "indented|    y = 2", "indented|    z = 3", "free|", "free|please"},
	},
	{
		"unless the message has code in a fence", "Try\n\n    x = 1\n\n```\ny\n```\n",
		[]string{"free|Try", "free|", "code|    x = 1", "free|", "code|y"},
	},
	{
		"a fence without content does not count", "Try\n\n    x = 1\n\n```\n```\n",
		[]string{"free|Try", "free|", "indented|    x = 1", "free|", "text|```", "text|```"},
	},
	{
		"what shares a line with a tag is text", "See <pre>\nx = 1\n</pre> there",
		[]string{"free|See <pre>", "free|x = 1", "free|</pre> there"},
	},
	{
		"what shares a line with a tag of a block is text", "<pre>\nx = 1\n</pre> there",
		[]string{"code|x = 1", "text| there"},
	},
	{
		"a post in HTML is text but for its code", "<p>Try</p>\n\n<ul>\n<li>a</li>\n</ul>\n\n<pre><code>x = 1\n</code></pre>\n\n<p>now</p>",
		[]string{"text|<p>Try</p>", "text|", "text|<ul>", "text|<li>a</li>", "text|</ul>", "text|", "code|x = 1", "text|", "text|", "text|<p>now</p>"},
	},
	{
		"the tags of a whole page are no markup", "<!DOCTYPE html>\n<html>\n<body>\n<pre>x = 1</pre>\n</body>\n</html>",
		[]string{"free|<!DOCTYPE html>", "free|<html>", "free|<body>", "free|<pre>x = 1</pre>", "free|</body>", "free|</html>"},
	},
	{
		"all of a patch is seen", "It is\n\n@@ -1,2 +1,3 @@\n a\n-b\n+c\n+d\n\nok",
		[]string{"free|It is", "free|", "code|@@ -1,2 +1,3 @@", "code| a", "code|-b", "code|+c", "code|+d", "free|", "free|ok"},
	},
}

// Show renders lines that the model sees, one a string: the hint, "|", the
// text.
func Show(text string, lines []linetag.Line, hints []linetag.Hint) []string {
	var shown []string
	for i, l := range lines {
		name := [...]string{linetag.Free: "free", linetag.Text: "text", linetag.Code: "code", linetag.Indented: "indented"}[hints[i]]
		shown = append(shown, fmt.Sprintf("%s|%s", name, strings.TrimRight(text[l.Start:l.End], "\n")))
	}
	return shown
}
