package linetag

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The groups are features of the model: a character that changes its group is read unlike in training.
func TestScripts(t *testing.T) {
	for group, characters := range map[uint32]string{
		0:  "£§©·½",        // Latin-1 signs
		1:  "éßøłəḀẞỹ",     // Latin with marks, also the additional block
		2:  "ː̀",           // phonetic, combining
		3:  "αΩϕ",          // Greek
		4:  "дЯѣԀ",         // Cyrillic
		5:  "աאسܐދ",        // Armenian, Hebrew, Arabic, Syriac, Thaana
		6:  "नงກአខა",       // Indic scripts, Thai, Lao, Ethiopic, Khmer, Georgian
		7:  "–—’“…•",       // general punctuation
		8:  "─│█▀",         // boxes and blocks
		9:  "→∑✓⚠\ue000",   // arrows, mathematics, dingbats, the beginning of private use
		10: "、。「」，！\uf8ff", // CJK punctuation, full-width forms, the end of private use
		11: "あアー",          // kana
		12: "中文漢字",         // CJK ideographs
		13: "한글",           // Hangul
		14: "😀𝒳",           // supplementary planes
	} {
		for _, character := range characters {
			encoded := string(character)
			require.Equal(t, group, script(encoded[0], encoded[1]), "%q", character)
		}
	}
}
