package accept_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/accept"
)

const (
	json = "application/json"
	form = "application/x-www-form-urlencoded"
	text = "text/plain"
	html = "text/html"
)

const (
	chromium = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7"
	axios    = "application/json, text/plain, */*"
)

func TestBest(t *testing.T) {
	for name, tt := range map[string]struct {
		accept []string
		offers []string
		want   string
	}{
		"absent":                         {nil, []string{json, text}, json},
		"empty field accepts anything":   {[]string{""}, []string{json, text}, json},
		"anything":                       {[]string{"*/*"}, []string{json, text}, json},
		"named":                          {[]string{"text/plain"}, []string{json, text}, text},
		"any of a type":                  {[]string{"text/*"}, []string{json, text}, text},
		"parameters are ignored":         {[]string{"text/plain; charset=utf-8"}, []string{json, text}, text},
		"case is folded":                 {[]string{"TEXT/Plain; Q=0.5"}, []string{json, text}, text},
		"the first offer wins a tie":     {[]string{"text/plain, application/json"}, []string{json, text}, json},
		"weights":                        {[]string{"application/json;q=0.5, text/plain;q=0.6"}, []string{json, text}, text},
		"specific beats general":         {[]string{"*/*;q=0.9, application/json;q=0.1"}, []string{json, text}, text},
		"in whatever order":              {[]string{"application/json;q=0.1, application/*;q=0.9, text/*;q=0.5"}, []string{json, text}, text},
		"a type beats everything":        {[]string{"text/*;q=0.2, */*;q=0.7"}, []string{text, json}, json},
		"excluded":                       {[]string{"text/plain;q=0, */*"}, []string{text, json}, json},
		"excluded, three digits":         {[]string{"text/plain;q=0.000, */*;q=0.001"}, []string{text, json}, json},
		"several lines":                  {[]string{"application/json;q=0.1", "text/plain"}, []string{json, text}, text},
		"spaces around the weight":       {[]string{"application/json ; q=0.1 , text/plain ; q = 0.2"}, []string{json, text}, text},
		"none":                           {[]string{"image/png"}, []string{json, text}, ""},
		"all excluded":                   {[]string{"*/*;q=0"}, []string{json, text}, ""},
		"comma in a quoted string":       {[]string{`text/plain;a="application/json,\",";q=0.4, application/json;q=0.3`}, []string{json, text}, text},
		"open quote":                     {[]string{`text/plain;a="x, application/json`}, []string{json, text}, text},
		"malformed weight":               {[]string{"text/plain;q=x, application/json;q=0.1"}, []string{json, text}, json},
		"weight that is no number":       {[]string{"text/plain;q=NaN, application/json;q=0.1"}, []string{json, text}, json},
		"weight out of range":            {[]string{"text/plain;q=2, application/json;q=0.1"}, []string{json, text}, json},
		"malformed range":                {[]string{"text, /plain, */plain, te xt/plain"}, []string{json, text}, ""},
		"only commas":                    {[]string{", ,"}, []string{json, text}, json},
		"a browser at a language route":  {[]string{chromium}, []string{json, text}, json},
		"axios":                          {[]string{axios}, []string{json, text}, json},
		"no offers":                      {[]string{"*/*"}, nil, ""},
		"a suffix is another media type": {[]string{"application/problem+json"}, []string{json, form}, ""},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, tt.want, accept.Parse(tt.accept).Best(tt.offers...)) })
	}
}

// A browser is sent a page or a redirect, a program JSON or a form.
func TestBrowsersNameHTML(t *testing.T) {
	for value, want := range map[string]bool{
		chromium:                         true,
		"text/html":                      true,
		"text/html;q=0.1, */*":           true,
		"text/html;q=0, */*":             false,
		"text/html;q=0.0, text/html;q=0": false,
		"*/*":                            false,
		"text/*":                         false,
		axios:                            false,
		"text/htmlx":                     false,
		"x-text/html":                    false,
	} {
		require.Equal(t, want, accept.Parse([]string{value}).Names(html), value)
	}
	require.False(t, accept.Parse(nil).Names(html))
}

func TestQuality(t *testing.T) {
	// The example of RFC 9110 section 12.5.1, without its parameters.
	ranges := accept.Parse([]string{"text/*;q=0.3, text/plain;q=0.7, text/html;q=0.4, */*;q=0.5"})
	for mediaType, want := range map[string]float64{
		"text/plain": 0.7, "text/html": 0.4, "image/jpeg": 0.5, "text/css": 0.3,
	} {
		require.Equal(t, want, ranges.Quality(mediaType), mediaType)
	}
	require.Equal(t, 0.7, accept.Parse([]string{"text/html;level=1;q=0.4, text/html;q=0.7"}).Quality(html))
	require.Zero(t, accept.Parse([]string{"application/json"}).Quality(html))
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{chromium, axios, "text/html;q=0, */*", `text/plain;a="b,\"c";q=0.4`, "text/plain;q=NaN", ", ,", `"\`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		ranges := accept.Parse([]string{value})
		for _, mediaType := range []string{json, text, html} {
			quality := ranges.Quality(mediaType)
			require.True(t, quality >= 0 && quality <= 1)
			require.False(t, ranges.Names(mediaType) && quality == 0, "named and not acceptable")
		}
	})
}
