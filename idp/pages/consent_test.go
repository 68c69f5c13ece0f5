package pages

import (
	"html"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatIsNotSeenIsShown(t *testing.T) {
	for text, shown := range map[string]string{
		"plain text, ünïcödé, 日本語, עברית": "plain text, ünïcödé, 日本語, עברית",
		"\u202a\u202b\u202c\u202d\u202e":  "[U+202A][U+202B][U+202C][U+202D][U+202E]",
		"\u2066\u2067\u2068\u2069":        "[U+2066][U+2067][U+2068][U+2069]",
		"\u200e\u200f\u061c":              "[U+200E][U+200F][U+061C]",
		"a\u200bb\u200dc\ufeff\u00ad":     "a[U+200B]b[U+200D]c[U+FEFF][U+00AD]",
		"a\tb\nc\x00\u00a0\u2003\u2028":   "a[U+0009]b[U+000A]c[U+0000][U+00A0][U+2003][U+2028]",
		"\u115f\u3164\u2800\u034f":        "[U+115F][U+3164][U+2800][U+034F]",
		"a\ufe0f\U000e0041\ue000":         "a[U+FE0F][U+E0041][U+E000]",
		"👩\u200d💻 ❤\ufe0f خانه\u200cها":   "👩\u200d💻 ❤\ufe0f خانه\u200cها",
	} {
		require.Equal(t, shown, showInvisible(text))
	}
}

// A client names itself; the page's own words would begin where its name seems to end.
func TestANameDoesNotEndItsQuotation(t *testing.T) {
	const mark = `["“”„‟«»‹›″〞〟＂❝❞ʺ˝]`
	for name, shown := range map[string]string{
		`Claude” of Example Inc., verified`: `Claude' of Example Inc., verified`, "Claude’’ of": "Claude' of", "Claude′′ ,, ``of": "Claude' ,, 'of", `a"“„‟«›″〞＂❞ʺb`: `a'b`,
		"Ada's app": "Ada's app", "Ada’s app": "Ada's app", "日本語「アプリ」": "日本語'アプリ'", "צה״ל": "צה״ל", "“": "'", "": "",
	} {
		for _, question := range []Question{{Unverified: true}, {Host: "claude.ai", RedirectURI: "https://claude.ai/cb"}, {Host: "claude.ai", RedirectURI: "http://127.0.0.1/cb"}} {
			question.Name = name
			body := html.UnescapeString(string(none.Consent(nil, question).Body))
			quoted := regexp.MustCompile(`“<strong>([^<]*)</strong>”`).FindAllStringSubmatch(body, -1)
			require.Equal(t, name != "", len(quoted) > 0, name)
			for _, found := range quoted {
				require.Equal(t, shown, found[1])
				require.NotRegexp(t, mark, found[1])
			}
		}
	}
	require.Contains(t, string(none.Consent(nil, Question{Name: "“Ada”"}).Body), "<strong>“Ada”</strong>", "the operator's own")
}

func TestWordsForScopesAndTargets(t *testing.T) {
	for scope, want := range map[string]string{
		"openid": "know who you are", "profile": "see your name, picture and other basic information", "email": "see your email address",
		"address": "see your postal address", "phone": "see your phone number", "offline_access": "keep this access while you are away",
	} {
		said, err := localeFor(nil).Say(meaning(scope))
		require.NoError(t, err)
		require.Equal(t, want, string(said))
	}
	require.Empty(t, meaning("files:read"))
	for uri, want := range map[string][2]string{
		"https://app.example/cb": {"app.example", ""}, "http://127.0.0.1:4711/cb": {"127.0.0.1:4711", "_program"},
		"com.example.app:/cb": {"com.example.app", "_app"}, "https://app.example:x/": {"https://app.example:x/", ""},
	} {
		target, kind := describe(uri)
		require.Equal(t, want, [2]string{target, kind})
	}
}
