package pages

import (
	"html/template"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

var placeholder = regexp.MustCompile(`\{\w*\}`)

// A translator sees the English text above his own, as it is now.
func TestEveryLanguageHasEveryText(t *testing.T) {
	english := locales().all[0].texts
	for _, l := range locales().all {
		require.Equal(t, slices.Sorted(maps.Keys(english)), slices.Sorted(maps.Keys(l.texts)), l.Lang)
		file, err := localeFiles.ReadFile("locales/" + l.Lang + ".toml")
		require.NoError(t, err)
		for key, text := range l.texts {
			require.NotEmpty(t, text, "%s: %s", l.Lang, key)
			require.Equal(t, set(placeholder, english[key]), set(placeholder, text), "%s: %s", l.Lang, key)
			if l.Lang != "en" {
				require.Contains(t, string(file), "\n# "+english[key]+"\n"+key+" = ", "%s: %s stands below its English text", l.Lang, key)
			}
		}
	}
}

func TestEveryTextIsOnAPage(t *testing.T) {
	used := make(map[string]bool)
	for _, name := range []string{"consent.html", "error.html", "logged_out.html", "page.html"} {
		file, err := files.ReadFile(name)
		require.NoError(t, err)
		for _, said := range regexp.MustCompile(`Say "(\w+)"`).FindAllStringSubmatch(string(file), -1) {
			used[said[1]] = true
		}
	}
	for _, key := range []string{
		"title", "title_unnamed", "sent_to", "sent_to_program", "sent_to_app", "logged_out_title", // by the code
		"may_openid", "may_profile", "may_email", "may_address", "may_phone", "may_offline_access",
	} {
		used[key] = true
	}
	require.Equal(t, slices.Sorted(maps.Keys(locales().all[0].texts)), slices.Sorted(maps.Keys(used)))
}

func set(pattern *regexp.Regexp, text string) []string {
	found := pattern.FindAllString(text, -1)
	slices.Sort(found)
	return slices.Compact(found)
}

// What a text puts around a name that a client gives itself, the name itself can't have.
func TestNoNameEndsTheQuotationOfAnyLanguage(t *testing.T) {
	for _, l := range locales().all {
		for key, text := range l.texts {
			if !strings.Contains(text, "{name}") {
				continue
			}
			marks := 0
			for _, r := range text {
				if unicode.In(r, unicode.Pi, unicode.Pf, unicode.Ps, unicode.Pe) && r != '{' && r != '}' {
					marks++
					require.Equal(t, "a'b", quotable("a"+string(r)+"b"), "%s: %s: %c", l.Lang, key, r)
				}
			}
			require.GreaterOrEqual(t, marks, 2, "%s: %s quotes the name", l.Lang, key)
		}
	}
}

func FuzzAcceptLanguage(f *testing.F) {
	for _, seed := range []string{"", "de", "de-CH-1996, fr;q=0.5, *;q=0.1", "zh-Hant-TW", "x-private", "en-u-ca-buddhist", "a-;q=,,;q=2", "und", "mul"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, field string) {
		require.Contains(t, locales().all, localeFor([]string{field}))
	})
}

func TestTheLanguageOfAPage(t *testing.T) {
	for accept, want := range map[string]string{
		"": "en", "*": "en", "en-GB,en;q=0.9": "en", "de": "de", "de-AT,de;q=0.9,en;q=0.8": "de", "gsw": "de",
		"xx": "en", "en;q=0.1, de;q=0.9": "de", "de;q=0": "en", "is,de;q=0.5": "de", "not a language,,;": "en", "DE": "de",
		"fr-CA": "fr", "es-MX,es": "es", "it-IT": "it", "pt-BR": "pt", "pt-PT": "pt", "nl-BE": "nl", "pl": "pl", "ja-JP,ja;q=0.9,en;q=0.8": "ja", "zh-CN,zh": "zh-Hans", "zh": "zh-Hans",
		"zh-TW,zh;q=0.9,en;q=0.8": "zh-Hans", "ko-KR": "ko", "uk-UA": "uk", "ar-EG": "ar", "fa": "en", "he": "en", "ru": "en", "ca": "en", "zh-TW": "zh-Hans", "ru-RU,ru;q=0.9,en;q=0.8": "en", "sr-Latn": "en",
		strings.Repeat("de,", 200): "en", strings.Repeat("a-", 200): "en",
	} {
		require.Equal(t, want, localeFor([]string{accept}).Lang, accept)
	}
	require.Equal(t, "en", localeFor(nil).Lang)
	require.Equal(t, "de", localeFor([]string{"xx", "de"}).Lang, "two fields are one list (RFC 9110 section 5.3)")
	body := string(none.LoggedOut([]string{"de-CH"}).Body)
	require.Contains(t, body, `<html lang="de" dir="ltr">`)
	require.Contains(t, body, "Von der App abgemeldet")
	require.Contains(t, string(none.LoggedOut([]string{"ar"}).Body), `<html lang="ar" dir="rtl">`)
	require.Len(t, locales().all, 13)
}

// What is missing in a language is English, and what is missing there, too, is no page.
func TestATextThatIsMissing(t *testing.T) {
	l := &locale{texts: map[string]string{"deny": "Ablehnen"}, fallback: locales().all[0]}
	for key, want := range map[string]string{"deny": "Ablehnen", "allow": "Allow"} {
		said, err := l.Say(key)
		require.NoError(t, err)
		require.Equal(t, want, string(said))
	}
	_, err := l.Say("no such text")
	require.ErrorContains(t, err, "no such text")
	_, err = l.Say("title", "app")
	require.Error(t, err)
}

// Nothing that a client says is markup, or fills in another text, in any language.
func TestWhatClientsSayIsText(t *testing.T) {
	const attack = `<b onclick=x>{deny}{host}"'</b></title><script>`
	for _, l := range locales().all {
		accept := []string{l.Lang}
		fields := []Field{{attack, attack}}
		pages := map[string]Page{"error": none.Error(accept, &Problem{Status: 400, Code: attack, Description: attack, Source: attack, Reference: attack, WayBack: &Link{attack, "javascript:" + attack}})}
		for _, question := range []Question{{Name: attack}, {Host: attack, Name: attack}, {Unverified: true, Name: attack}} {
			question.IdP, question.RedirectURI, question.Scopes, question.Audiences, question.More, question.Others, question.Transaction = attack, "https://app.example/"+attack, []string{attack, "a", "b"}, []string{attack}, fields, fields, attack
			pages["consent "+question.Host] = none.Consent(accept, question)
			question.RedirectURI = "http://127.0.0.1/"
			pages["program "+question.Host] = none.Consent(accept, question)
		}
		for name, page := range pages {
			body := string(page.Body)
			require.NotContains(t, body, "<b ", name)
			require.NotContains(t, body, "javascript:&lt;", name)
			require.LessOrEqual(t, strings.Count(body, "<script>"), 1, name)
			require.Contains(t, body, "{deny}{host}", name)
			require.Contains(t, body, `lang="`+l.Lang+`"`, name)
		}
	}
	said, err := (&locale{texts: map[string]string{"a": "<i> & {x} {y}"}}).Say("a", "x", "<u>{y}", "y", template.HTML("<b>"))
	require.NoError(t, err)
	require.Equal(t, "&lt;i&gt; &amp; &lt;u&gt;{y} <b>", string(said))
}
