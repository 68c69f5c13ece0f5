package synthetic

import (
	"fmt"
	"hash/maphash"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment/internal/langid"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
	"github.com/identity-gateway/caddy-identity-gateway/segment/train/evaluation/classification"
)

func TestLabelsHavePiecesAndNoneIsThereTwice(t *testing.T) {
	snippets := LanguageSnippets()
	known := classification.AllLabels().Names
	seen, count := map[string]string{}, map[string]int{}
	for _, s := range snippets {
		require.NotEmpty(t, s.Text, s.Source)
		squeezed := s.Lang + strings.Join(strings.Fields(s.Text), " ")
		if other := seen[squeezed]; other != "" {
			t.Errorf("a piece of %s is also in %s:\n%s", s.Source, other, s.Text)
		}
		seen[squeezed] = s.Source
		count[s.Lang]++
	}
	for l, n := range count {
		require.Contains(t, append(known, langid.Unknown), l)
		require.GreaterOrEqual(t, n, 12, l)
	}
	require.Greater(t, len(count), 100)
}

func TestMessagesAreMarkedWithKnownLanguages(t *testing.T) {
	documents := Documents()
	known := append(classification.AllLabels().Names, "unknown", "")
	sources := map[string]bool{}
	for _, d := range documents {
		require.False(t, sources[d.Source], "%s is there twice", d.Source)
		sources[d.Source] = true
		require.Len(t, d.Labels, strings.Count(d.Text, "\n")+1, d.Source)
		for _, l := range d.Langs {
			if !slices.Contains(known, l) {
				t.Errorf("%s has code of %q, which is not in labels.json", d.Source, l)
			}
		}
	}
}

func TestMarksBecomeLabels(t *testing.T) {
	for _, c := range []struct{ name, marked, text, labels, wrong string }{
		{name: "text", marked: "a\n\nb\n", text: "a\n\nb", labels: "T-T"},
		{name: "code", marked: "see\n<<<< go\nx := 1\n\ny := 2\n>>>>\n\nfine\n", text: "see\nx := 1\n\ny := 2\n\nfine", labels: "TC-C-T"},
		{name: "blank lines around", marked: "\n\na\n<<<< sh\n\n>>>>\n", text: "a", labels: "T"},
		{name: "not closed", marked: "<<<< go\nx\n", wrong: "not closed"},
		{name: "not open", marked: "x\n>>>>\n", wrong: "after no block"},
		{name: "one in another", marked: "<<<< go\n<<<< c\n>>>>\n", wrong: "inside a block of go"},
		{name: "nothing", marked: "\n", wrong: "no content"},
	} {
		d, err := document(c.marked)
		if c.wrong != "" {
			require.ErrorContains(t, err, c.wrong, c.name)
			continue
		}
		require.NoError(t, err, c.name)
		require.Equal(t, c.text, d.Text, c.name)
		require.Equal(t, c.labels, strings.Join(d.Labels, ""), c.name)
	}
}

// fives calls f with a hash of every run of five tokens of s: words, and other characters but white space.
func fives(s string, f func(hash uint64)) {
	var last [5]uint64 // hashes of the tokens, the newest last
	n := 0
	for rest := strings.TrimLeft(s, " \t\n"); rest != ""; rest = strings.TrimLeft(rest, " \t\n") {
		end := strings.IndexFunc(rest, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		switch end {
		case -1:
			end = len(rest)
		case 0:
			_, end = utf8.DecodeRuneInString(rest)
		}
		h := maphash.String(seed, rest[:end])
		rest = rest[end:]
		copy(last[:], last[1:])
		last[4] = h
		if n++; n >= 5 {
			f(maphash.Comparable(seed, last))
		}
	}
}

var seed = maphash.MakeSeed()

// usual are the two pieces of dev of which most was written too: a declaration of arguments as Fortran has millions, and a session
// of OCaml. They were found when the language model had been trained.
var usual = []string{
	"real(8), intent(in) :: left, right, tol",
	"# List.map (fun x -> x * x) [1; 2; 3; 4];;\n- : int list = [1; 4; 9; 16]",
}

// What is measured on must not be trained on: the same rule by which the corpus holds its own splits apart.
func TestNothingIsLikeARecordOfDev(t *testing.T) {
	data, err := corpus.Open()
	if err != nil {
		t.Skip(err)
	}
	snippets := slices.Concat(LanguageSnippets(), Statements())
	documents := Documents()
	ours := map[uint64]bool{}
	for _, s := range snippets {
		fives(s.Text, func(five uint64) { ours[five] = true })
	}
	for _, d := range documents {
		fives(d.Text, func(five uint64) { ours[five] = true })
	}
	dev, err := data.Snippets("snippets.dev")
	require.NoError(t, err)
	for _, s := range dev {
		all, same := 0, 0
		fives(s.Text, func(five uint64) {
			all++
			if ours[five] {
				same++
			}
		})
		if all >= 6 && 2*same > all && !slices.Contains(usual, s.Text) {
			t.Errorf("%d of %d runs of five tokens are among what was written:\n%s (%s, %s)", same, all, s.Text, s.Lang, s.Source)
		}
	}
}

func TestStatementsHaveNamesInTheirSlots(t *testing.T) {
	all := Statements()
	distinct := map[string]bool{}
	for _, s := range all {
		require.Contains(t, classification.AllLabels().Names, s.Lang)
		require.NotContains(t, s.Text, "\n")
		require.NotRegexp(t, slot, s.Text)
		distinct[s.Lang+s.Text] = true
	}
	require.Greater(t, 10*len(distinct), 9*len(all))
	require.Equal(t, all, Statements(), "the same each time")
}

func TestSlots(t *testing.T) {
	for _, test := range []struct {
		slot, want string
		w          writer
	}{
		{"{F}", `^[a-z][a-zA-Z]*$`, writer{}},
		{"{F}", `^[a-z]+(_[a-z]+)*$`, writer{underscores: true}},
		{"{V}", `^[a-z][a-zA-Z]*$`, writer{}},
		{"{P}", `^[A-Z][a-zA-Z]*$`, writer{underscores: true}},
		{"{C}", `^[A-Z][a-zA-Z]*$`, writer{underscores: true}},
		{"{S}", `^"[^"]+"$`, writer{}},
		{"{S}", `^("[^"]+"|'[^']+')$`, writer{singleQuotes: true}},
		{"{N}", `^\d+$`, writer{}},
	} {
		test.w.rng = rand.New(rand.NewPCG(1, 1))
		for range 100 {
			require.Regexp(t, test.want, test.w.fill(test.slot), test.slot)
		}
	}
}

func TestNeighboursFollowThePiecesOfTheirLabel(t *testing.T) {
	all := Snippets()
	more := LanguageSnippets()
	require.Greater(t, len(more), len(all))
	count := map[string]int{}
	for _, s := range all {
		count[s.Lang]++
	}
	i := 0
	for _, s := range more {
		if i < len(all) && all[i].Text == s.Text {
			i++
			continue
		}
		require.True(t, i == len(all) || all[i].Lang != s.Lang, "%s", s.Text)
		count[s.Lang]++
		require.Equal(t, fmt.Sprintf("written/%s/%d", s.Lang, (count[s.Lang]-1)/2), s.Source)
	}
	require.Equal(t, len(all), i)
	names, err := fs.ReadDir(files, "neighbours")
	require.NoError(t, err)
	for _, n := range names {
		require.Positive(t, count[strings.TrimSuffix(n.Name(), ".txt")], "%s: no label has that name", n.Name())
	}
}
