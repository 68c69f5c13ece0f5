// snippet:check
//go:build ignore

// snippet:usage
package main

// snippet:end
// snippet:doc https://pkg.go.dev/html/template html/template
// snippet:description Put text from a stranger into a page so that it stays text: `html/template` escapes each value for the place
// snippet:description where it lands. A value in text, in an attribute, in a link and in a script each gets an escape of its own.
import (
	"html/template"
	"io"
	// snippet:usage
	"os"
	// snippet:end
)

var profile = template.Must(template.New("profile").Parse(`<article>
  <h2>{{.Name}}</h2>
  <a href="{{.Website}}" title="{{.Name}}">web site</a>
  <script>const user = {{.}};</script>
</article>
`))

type Profile struct{ Name, Website string }

// Render escapes each value for the place it lands in: text, attribute, link
// or script. Never build pages with text/template or by joining strings.
func Render(w io.Writer, p Profile) error { return profile.Execute(w, p) }

// snippet:usage
// snippet:prints <article>
// snippet:prints   <h2>&lt;b&gt;&#34;Eve&#34;&lt;/b&gt;</h2>
// snippet:prints   <a href="#ZgotmplZ" title="&lt;b&gt;&#34;Eve&#34;&lt;/b&gt;">web site</a>
// snippet:prints   <script>const user = {"Name":"\u003cb\u003e\"Eve\"\u003c/b\u003e","Website":"javascript:alert(1)"};</script>
// snippet:prints </article>
func main() {
	_ = Render(os.Stdout, Profile{`<b>"Eve"</b>`, "javascript:alert(1)"})
}
