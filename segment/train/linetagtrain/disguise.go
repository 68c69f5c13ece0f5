package linetagtrain

import (
	"math/rand/v2"
	"strings"
	"unicode/utf8"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

// disguise replaces the letters of the words of all text by others, of the same script or of another one, so that what
// is left of prose is its form: a language that the corpus does not have.
func disguise(_ *pool, m *message, r *rand.Rand) {
	var to [26][]byte
	consonants := []byte("bcdfghjklmnpqrstvwxz")
	vowels := []byte("aeiouy")
	other := r.IntN(3) == 0
	var letters []rune
	if other {
		letters = []rune(forms().Scripts[r.IntN(len(forms().Scripts))])
	}
	r.Shuffle(len(consonants), func(i, j int) { consonants[i], consonants[j] = consonants[j], consonants[i] })
	r.Shuffle(len(vowels), func(i, j int) { vowels[i], vowels[j] = vowels[j], vowels[i] })
	nc, nv := 0, 0
	for c := range to {
		switch {
		case other:
			to[c] = utf8.AppendRune(nil, letters[0]+rune(r.IntN(int(letters[1]-letters[0])+1)))
		case strings.IndexByte("aeiouy", byte('a'+c)) >= 0:
			to[c] = vowels[nv : nv+1]
			nv++
			if r.IntN(12) == 0 {
				to[c] = utf8.AppendRune(nil, 'à'+rune(r.IntN(30)))
			}
		default:
			to[c] = consonants[nc : nc+1]
			nc++
			if r.IntN(25) == 0 {
				to[c] = utf8.AppendRune(nil, 'ā'+rune(r.IntN(100)))
			}
		}
	}
	dense := other && letters[0] >= 'ぁ' && letters[0] != 'ạ' && letters[0] != '가' // scripts that put no space between words
	for i, l := range m.lines {
		if m.labels[i] == corpus.Text {
			m.lines[i] = disguiseLine(l, &to, dense)
		} else if sign := commentSign(l); sign != "" {
			m.lines[i] = sign + disguiseLine(l[len(sign):], &to, dense)
		}
	}
}

func disguiseLine(l string, to *[26][]byte, dense bool) string {
	var b strings.Builder
	words := strings.Split(l, " ")
	for k, w := range words {
		plain := strings.Trim(w, ".,:;!?()\"'*-")
		keep := plain == ""
		for j := 0; j < len(plain); j++ {
			c := plain[j] | 0x20
			if (c < 'a' || c > 'z') || j > 0 && plain[j] < 'a' {
				keep = true // a name, a number, code in the sentence
				break
			}
		}
		if k > 0 && (!dense || keep) {
			b.WriteByte(' ')
		}
		if keep {
			b.WriteString(w)
			continue
		}
		for j := 0; j < len(w); j++ {
			c := w[j]
			switch {
			case c >= 'a' && c <= 'z':
				b.Write(to[c-'a'])
			case c >= 'A' && c <= 'Z' && len(to[c-'A']) == 1:
				b.WriteByte(to[c-'A'][0] &^ 0x20)
			case c >= 'A' && c <= 'Z':
				b.Write(to[c-'A'])
			default:
				b.WriteByte(c)
			}
		}
	}
	return b.String()
}
