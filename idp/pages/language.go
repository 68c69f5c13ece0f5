package pages

import (
	"embed"
	"errors"
	"html/template"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
	"golang.org/x/text/language"
)

//go:embed locales/*.toml
var localeFiles embed.FS

// locale is a language that users read.
type locale struct {
	// Lang is its tag (BCP 47), Dir the direction in which it is written: ltr or rtl.
	Lang, Dir string
	texts     map[string]string
	// fallback has the texts that this one lacks; nil for English.
	fallback *locale
}

type localeSet struct {
	all     []*locale // English first
	matcher language.Matcher
}

// locales are read from files that a test reads, too: they can be read.
var locales = sync.OnceValue(func() localeSet {
	english := &locale{Lang: "en"}
	set := localeSet{all: []*locale{english}}
	tags := []language.Tag{language.English}
	for _, file := range must(localeFiles.ReadDir("locales")) {
		l := &locale{Lang: strings.TrimSuffix(file.Name(), ".toml"), fallback: english}
		if l.Lang == english.Lang {
			l = english
		}
		tag := language.MustParse(l.Lang)
		if l.Dir = "ltr"; isRightToLeft(tag) {
			l.Dir = "rtl"
		}
		l.texts = make(map[string]string)
		text := must(localeFiles.ReadFile(path.Join("locales", file.Name())))
		must(text, toml.Unmarshal(text, &l.texts))
		if l != english {
			set.all, tags = append(set.all, l), append(tags, tag)
		}
	}
	set.matcher = language.NewMatcher(tags)
	return set
})

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func isRightToLeft(tag language.Tag) bool {
	script, _ := tag.Script()
	return script.String() == "Arab" || script.String() == "Hebr"
}

// maxAcceptLanguage bounds what is parsed of Accept-Language, in bytes: browsers send less than 100.
const maxAcceptLanguage = 512

// localeFor is the language of those that a request's Accept-Language fields accept (RFC 9110
// section 12.5.4) that suits its user best, English if none does.
func localeFor(accept []string) *locale {
	set := locales()
	field := strings.Join(accept, ",")
	if len(field) > maxAcceptLanguage {
		return set.all[0]
	}
	ranges := slices.DeleteFunc(strings.Split(field, ","), func(one string) bool {
		_, _, err := language.ParseAcceptLanguage(one)
		return err != nil // which would be that of the whole list
	})
	wanted, _, _ := language.ParseAcceptLanguage(strings.Join(ranges, ","))
	_, best, confidence := set.matcher.Match(wanted...)
	if confidence == language.No { // such as Ukrainian for Russian, for the same script
		return set.all[0]
	}
	return set.all[best]
}

// escapeText is for texts of the locale files, which have no markup. Their apostrophes and quotation
// marks stay: they are no part of an attribute before html/template has escaped them for it.
var escapeText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// Say is the text of that key, as HTML. The pairs are the names in its braces and their values,
// escaped unless they are HTML already.
func (l *locale) Say(key string, pairs ...any) (template.HTML, error) {
	text, ok := l.texts[key]
	if !ok && l.fallback != nil {
		text, ok = l.fallback.texts[key]
	}
	if !ok || len(pairs)%2 != 0 {
		return "", errors.New("no text " + key)
	}
	var values []string
	for pair := range slices.Chunk(pairs, 2) {
		value, ok := pair[1].(template.HTML)
		if !ok {
			value = template.HTML(template.HTMLEscaper(pair[1]))
		}
		values = append(values, "{"+pair[0].(string)+"}", string(value))
	}
	return template.HTML(strings.NewReplacer(values...).Replace(escapeText.Replace(text))), nil
}

// strong and code mark up what others say of themselves, and addresses.
func strong(value string) template.HTML {
	return template.HTML("<strong>" + template.HTMLEscapeString(value) + "</strong>")
}

func code(value string) template.HTML {
	return template.HTML("<code>" + template.HTMLEscapeString(value) + "</code>")
}
