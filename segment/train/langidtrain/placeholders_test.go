package langidtrain

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestMetasyntacticNamesAreReplaced(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"foo = bar(foo)", `^(\w+) = (\w+)\((\w+)\)$`},
		{"class Foo", `^class [A-Z][a-z]+$`},
		{"FOO_2", `^[A-Z]+_2$`},
		{"fooBar", `^[a-z]+[A-Z][a-z]+$`},
		{"_foo", `^_[a-z]+$`},
		{"$foo", `^\$[a-z]+$`},
	} {
		got := rename(tc.text)
		assert.Regexp(t, tc.want, got)
		assert.NotRegexp(t, `(?i)foo|bar|baz|qux`, got)
		assert.Equal(t, got, rename(tc.text), "the same text, the same names")
	}
	same := regexp.MustCompile(`^(\w+) = \w+\((\w+)\)$`).FindStringSubmatch(rename("foo = bar(foo)"))
	assert.Equal(t, same[1], same[2], "one name stays one")
}

func TestOtherWordsKeepTheirNames(t *testing.T) {
	for _, text := range []string{"toolbar", "bars = 3", "foobarista", "Barcode", "food", "no names"} {
		assert.Equal(t, text, rename(text))
	}
}
