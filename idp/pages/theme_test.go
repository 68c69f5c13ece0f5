package pages

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="9"/></svg>`

func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	at := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(at, name), []byte(text), 0o600))
	}
	return at
}

func TestAThemeIsOnEachPage(t *testing.T) {
	theme, err := New(Config{
		Name: "Example <Inc.>", Help: "https://example.com/help?a=1&b=2", Logo: filepath.Join(folder(t, map[string]string{"logo.svg": svg}), "logo.svg"),
		Accent: []string{"#7b1fa2", "ce93d8"}, Background: []string{"fffaf0", "001220"},
	})
	require.NoError(t, err)
	for name, page := range map[string]Page{
		"error": theme.Error([]string{"de"}, &Problem{Status: 400}), "logged out": theme.LoggedOut([]string{"de"}),
		"consent": theme.Consent([]string{"de"}, Question{Name: "App"}),
	} {
		body := string(page.Body)
		require.Contains(t, body, `<img src="data:image/svg&#43;xml;base64,`, name)
		require.Contains(t, body, `alt="Example &lt;Inc.&gt;"`, name)
		require.Contains(t, body, `<a href="https://example.com/help?a=1&amp;b=2" rel="noreferrer">Hilfe</a>`, name)
		require.Contains(t, body, "--text: #1c1c1e; --back: #fffaf0; --accent: #7b1fa2; --on-accent: #ffffff;", name)
		require.Contains(t, body, "--text: #eeeeee; --back: #001220; --accent: #ce93d8; --on-accent: #000000;", name)
		require.Contains(t, page.Header.Get("Content-Security-Policy"), "img-src data:; ", name)
	}
	require.NotContains(t, none.LoggedOut(nil).Header.Get("Content-Security-Policy"), "img-src")
	require.NotContains(t, string(none.LoggedOut(nil).Body), "<header>")
}

func TestThemesThatDoNotLoad(t *testing.T) {
	at := folder(t, map[string]string{"logo.svg": svg, "text.txt": "no picture", "big.svg": svg + strings.Repeat(" ", maxLogo)})
	for want, c := range map[string]Config{
		"help javascript:alert(1) is not an address":           {Help: "javascript:alert(1)"},
		"help http://example.com is not an address":            {Help: "http://example.com"},
		"logo needs a name":                                    {Logo: at + "/logo.svg"},
		"text.txt is no picture":                               {Name: "a", Logo: at + "/text.txt"},
		"none.svg can't be read":                               {Name: "a", Logo: at + "/none.svg"},
		"65536 are the limit":                                  {Name: "a", Logo: at + "/big.svg"},
		"accent needs two colors":                              {Accent: []string{"0b57d0"}},
		`accent "blue" is not a color`:                         {Accent: []string{"blue", "a8c7fa"}},
		`accent "fff" is not a color`:                          {Accent: []string{"fff", "a8c7fa"}},
		"accent #ffcc00 of light screens has a contrast of 1.": {Accent: []string{"ffcc00", "ffcc00"}},
		// #777777 on white is the classic near miss: 4.48:1.
		"contrast of 4.48:1 to the background #ffffff; it must be 4.5:1 or more": {Accent: []string{"777777", "a8c7fa"}},
		"accent #0b57d0 of dark screens has a contrast of":                       {Accent: []string{"0b57d0", "0b57d0"}},
		"background #222222 of light screens: the text on it, which is #1c1c1e":  {Background: []string{"222222", "222222"}},
		"accent #a8c7fa of dark screens has a contrast of 4.34:1":                {Background: []string{"ffffff", "555555"}},
		"templates " + at + ": the folder has no page.html":                      {Templates: at},
	} {
		_, err := New(c)
		require.ErrorContains(t, err, want)
	}
	require.InDelta(t, 21, contrast(black, white), 0.001)
	require.InDelta(t, 4.54, contrast(rgb{0x76, 0x76, 0x76}, white), 0.005, "the darkest gray that passes is #767676")
}

const ownLayout = `<!DOCTYPE html>
<html lang="{{.Lang}}" dir="{{.Dir}}">
<head>
{{.Head}}
<style nonce="{{.Nonce}}">body { font-family: serif }</style>
</head>
<body class="{{.Page}}">
<header>{{.Name}}</header>
{{.Content}}
{{template "footer.html" .}}
</body>
</html>`

func TestOwnTemplates(t *testing.T) {
	theme, err := New(Config{Name: "Example Inc.", Help: "https://example.com", Templates: folder(t, map[string]string{
		"page.html": ownLayout, "footer.html": `<footer><a href="{{.Help}}">{{.Say "help"}}</a></footer>`,
	})})
	require.NoError(t, err)
	page := theme.Consent([]string{"ar"}, Question{Name: `{{.Help}}<script>`, Transaction: "sealed"})
	body := string(page.Body)
	for _, want := range []string{
		`<html lang="ar" dir="rtl">`, `<body class="consent">`, "<header>Example Inc.</header>", `<footer><a href="https://example.com">مساعدة</a></footer>`,
		`value="sealed"`, "<script>" + string(script) + "</script>", "{{.Help}}&lt;script&gt;",
	} {
		require.Contains(t, body, want)
	}
	require.Equal(t, none.Consent(nil, Question{}).Header["X-Frame-Options"], page.Header["X-Frame-Options"])
	require.Contains(t, page.Header.Get("Content-Security-Policy"), "script-src "+scriptSource()+"; ")
	require.Contains(t, page.Header.Get("Content-Security-Policy"), strings.TrimPrefix(strings.Split(body, `<style nonce="`)[2], "")[:26], "both style sheets have the nonce")
}

// The question, its warnings, form and script are in every page, or the configuration does not load.
func TestTemplatesThatDoNotLoad(t *testing.T) {
	around := func(old, replacement string) string {
		require.Contains(t, ownLayout, old)
		return strings.Replace(ownLayout, old, replacement, 1)
	}
	for name, test := range map[string]struct{ page, want string }{
		"no content":               {around("{{.Content}}", ""), "page.html must have {{.Head}}"},
		"no head":                  {around("{{.Head}}", ""), "page.html must have {{.Head}}"},
		"twice":                    {around("{{.Content}}", "{{.Content}}{{.Content}}"), "each of them once"},
		"a comment":                {around("{{.Content}}", "<!-- {{.Content}} -->"), "page.html must have"},
		"text":                     {around("{{.Content}}", `{{print .Content " "}}`), "page.html must have"},
		"not on each page":         {around("{{.Content}}", `{{if ne .Page "error"}}{{.Content}}{{end}}`), "on the page error"},
		"not in each language":     {around("{{.Content}}", `{{if ne .Lang "ar"}}{{.Content}}{{end}}`), "in the language ar"},
		"hidden":                   {around("{{.Content}}", "<div hidden>\n{{.Content}}</div>"), "page.html:10: {{.Content}} must stand in <body> itself"},
		"a template":               {around("{{.Content}}", "<template>\n{{.Content}}</template>"), "page.html:10: {{.Content}} must stand"},
		"a closed dialog":          {around("{{.Content}}", "<dialog>{{.Content}}</dialog>"), "must stand in <body> itself"},
		"a body that is hidden":    {around("<body ", "<body hidden "), "page.html:7: <body> can have lang, dir, class and id, not hidden"},
		"the head in the body":     {strings.Replace(around("{{.Head}}\n", ""), "<header>", "{{ .Head}}<header>", 1), "page.html:7: {{.Head}} must stand in <head>"},
		"a script":                 {around("<header>", "<script>alert(1)</script><header>"), "page.html:8: <script> can't be used"},
		"a script from elsewhere":  {around("<header>", `<script src="https://cdn.example/a.js"></script><header>`), "page.html:8: <script>"},
		"a handler":                {around("<header>", `<header onclick="a()">`), "page.html:8: browsers ignore onclick"},
		"a style attribute":        {around("<header>", `<header style="color: red">`), "page.html:8: browsers ignore style"},
		"a style without a nonce":  {around(` nonce="{{.Nonce}}"`, ""), "page.html:5: browsers ignore this <style>"},
		"a style sheet":            {around("{{.Head}}", "{{.Head}}\n<link rel=stylesheet href=/a.css>"), "page.html:5: <link>"},
		"a picture from elsewhere": {around("<header>", `<header><img src="https://cdn.example/a.png" alt="">`), "page.html:8: pages load nothing"},
		"another form":             {around("<header>", `<header><form action="https://evil.example"></form>`), "page.html:8: <form>"},
		"a picture without a logo": {around("<header>", `<header><img src="{{.Logo}}" alt="">`), "page.html:8: pages load nothing"},
		"what is in no file":       {around("<header>", `<header><img src="{{.Help}}" alt="">`), "page.html: pages load nothing"},
		"a base":                   {around("{{.Head}}", "{{.Head}}<base href=https://evil.example>"), "page.html:4: <base>"},
		"a syntax error":           {around("{{.Name}}", "{{.Name"), "page.html:8"},
		"an unknown field":         {around("{{.Name}}", "{{.Nmae}}"), "page.html:8:10"},
		"an unknown text":          {around("{{.Name}}", `{{.Say "hlep"}}`), "no text hlep"},
		"no such template":         {around("footer.html", "foot.html"), "page.html:10"},
	} {
		_, err := New(Config{Help: "https://example.com/help", Templates: folder(t, map[string]string{"page.html": test.page, "footer.html": ""})})
		require.ErrorContains(t, err, test.want, name)
		require.ErrorContains(t, err, "pages: templates ", name)
	}
}

// What a template hides only of some request, no sample has found.
func TestATemplateThatFailsLater(t *testing.T) {
	theme, err := New(Config{Name: "Example Inc.", Templates: folder(t, map[string]string{"page.html": `<html><head>{{.Head}}</head><body>{{if eq .Nonce "nonce"}}{{.Content}}{{end}}</body></html>`})})
	require.NoError(t, err)
	page := theme.Consent(nil, Question{Name: "App", Transaction: "sealed"})
	require.Equal(t, 200, page.Status)
	require.Contains(t, string(page.Body), `value="sealed"`)
	require.Contains(t, string(page.Body), "<bdi>Example Inc.</bdi>", "it is the gateway's own page")
}
