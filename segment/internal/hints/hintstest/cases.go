// Package hintstest has messages with the hints that the line model gets with them, for the tests of all who ask the model.
package hintstest

import (
	"fmt"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/linetag"
)

// Case is a message and the lines that the model sees of it, see [Show].
type Case struct{ Name, Text, Want string }

// Cases are messages for each rule of package hints.
var Cases = []Case{
	{"plain text", "Hello,\n\nx = 1\n", "free|Hello,\nfree|\nfree|x = 1"},
	{"the lines of a fence are not seen", "Try\n```go\nx := 1\n```\nplease", "free|Try\ncode|x := 1\nfree|please"},
	{"of a long fence two lines at each end are seen", "Try\n~~~\na\nb\nc\nd\ne\nf\n~~~\n", "free|Try\ncode|a\ncode|b\ncode|e\ncode|f"},
	{"so they are where lines end with carriage returns", "Try\r```\ra\rb\rc\rd\re\r```\rit", "free|Try\ncode|a\ncode|b\ncode|d\ncode|e\nfree|it"},
	{"and with both", "```\r\na\r\nb\r\nc\r\n\r\ne\r\n```\r\n", "code|a\ncode|b\ncode|\ncode|e"},
	{"of a fence with two lines both are seen once", "```\ra\rb\r```\r", "code|a\ncode|b"},
	{"a fence without content is text, markup and all", "Try\n```\n\n```\nplease", "free|Try\ntext|```\ntext|\ntext|```\nfree|please"},
	{
		"indented code is a question", "Try\n\n    x = 1\n    y = 2\n    z = 3\n\nplease",
		"free|Try\nfree|\nindented|    x = 1\nindented|    y = 2\nindented|    z = 3\nfree|\nfree|please",
	},
	{"unless the message has code in a fence", "Try\n\n    x = 1\n\n```\ny\n```\n", "free|Try\nfree|\ncode|    x = 1\nfree|\ncode|y"},
	{"a fence without content does not count", "Try\n\n    x = 1\n\n```\n```\n", "free|Try\nfree|\nindented|    x = 1\nfree|\ntext|```\ntext|```"},
	{"what shares a line with a tag is text", "See <pre>\nx = 1\n</pre> there", "free|See <pre>\nfree|x = 1\nfree|</pre> there"},
	{"what shares a line with a tag of a block is text", "<pre>\nx = 1\n</pre> there", "code|x = 1\ntext| there"},
	{
		"a post in HTML is text but for its code", "<p>Try</p>\n\n<ul>\n<li>a</li>\n</ul>\n\n<pre><code>x = 1\n</code></pre>\n\n<p>now</p>",
		"text|<p>Try</p>\ntext|\ntext|<ul>\ntext|<li>a</li>\ntext|</ul>\ntext|\ncode|x = 1\ntext|\ntext|\ntext|<p>now</p>",
	},
	{
		"the tags of a whole page are no markup", "<!DOCTYPE html>\n<html>\n<body>\n<pre>x = 1</pre>\n</body>\n</html>",
		"free|<!DOCTYPE html>\nfree|<html>\nfree|<body>\nfree|<pre>x = 1</pre>\nfree|</body>\nfree|</html>",
	},
	{
		"all of a patch is seen", "It is\n\n@@ -1,2 +1,3 @@\n a\n-b\n+c\n+d\n\nok",
		"free|It is\nfree|\ncode|@@ -1,2 +1,3 @@\ncode| a\ncode|-b\ncode|+c\ncode|+d\nfree|\nfree|ok",
	},
}

// Show renders lines that the model sees: the hint, "|", the text.
func Show(text string, lines []linetag.Line, hints []linetag.Hint) string {
	var shown []string
	for i, l := range lines {
		name := [...]string{linetag.Free: "free", linetag.Text: "text", linetag.Code: "code", linetag.Indented: "indented"}[hints[i]]
		shown = append(shown, fmt.Sprintf("%s|%s", name, strings.TrimRight(text[l.Start:l.End], "\n")))
	}
	return strings.Join(shown, "\n")
}
