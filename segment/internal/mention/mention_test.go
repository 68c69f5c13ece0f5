package mention

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var labels = []string{"c", "css", "go", "python"}

var weights = Weights{Beside: 0.8, Close: 0.5, Loose: 0.3, Coded: 0.2, Bound: 2.3, Short: 3, ShortBound: 2, Other: 10, ShortOther: 4}

func table(t *testing.T) *Table {
	t.Helper()
	x, err := NewTable(File{weights, map[string]map[string]float64{
		".py": {"python": 8}, "python": {"python": 8}, "Go": {"go": 6}, "c++": {"c": 2}, "css": {"css": 10},
		"utils.go": {"go": 4}, "package.json": {"css": 2}, "scikit-learn": {"python": 4}, ".htaccess": {"c": 3},
	}}, labels)
	require.NoError(t, err)
	return x
}

func TestScan(t *testing.T) {
	x := table(t)
	for _, c := range []struct{ text, want string }{
		{"In Python it works, in PYTHON3 too.", "python python"},
		{"Go is not go", "Go"},
		{"src/main.py and (setup.py), but not x.pyc", ".py .py"},
		{"see utils.go.", "utils.go"},
		{"the .py files, C++ and c++17", ".py c++ c++"},
		{"scikit-learn, the package.json", "scikit-learn package.json"},
		{"a .htaccess file...", ".htaccess"},
		{"mycss css_ css2 css", "css css"},
		{strings.Repeat("x", 40) + ".py", ".py"},
		{"-- 12 .. + # Ünicode çss", ""},
		{"", ""},
	} {
		var found []string
		x.Scan(c.text, func(name, at int) {
			found = append(found, x.Names()[name])
			require.Less(t, at, len(c.text))
		})
		require.Equal(t, c.want, strings.Join(found, " "), "%q", c.text)
	}
}

// message builds a message of parts: those that begin with "|" are code.
func message(x *Table, parts ...string) *Message {
	m := new(Message)
	at := 0
	for _, p := range parts {
		if code, ok := strings.CutPrefix(p, "|"); ok {
			m.Code(x, code, at)
			at += len(code)
			continue
		}
		m.Text(x, p, at)
		at += len(p)
	}
	m.Finish()
	return m
}

func TestPlaces(t *testing.T) {
	x := table(t)
	far := strings.Repeat("some more words here\n", 20)
	for _, c := range []struct {
		name  string
		parts []string
		want  []string // for each piece, the name and the number of its place
	}{
		{"right before", []string{"In python:\n", "|x = 1\n"}, []string{"python 0"}},
		{"further before", []string{"In python. " + strings.Repeat("a b ", 30) + "\n", "|x = 1\n"}, []string{"python 1"}},
		{"right after", []string{"|x = 1\n", "This is python.\n"}, []string{"python 1"}},
		{"far away", []string{"python\n" + far, "|x = 1\n"}, []string{"python 2"}},
		{"what stands before one speaks of that one", []string{"css:\n", "|a\n", "python:\n", "|b\n"}, []string{"css 0 python 3", "css 3 python 0"}},
		{"in the other code", []string{"|python main.py\n", far, "|b\n"}, []string{"", "python 4 .py 4"}},
		{"in the code itself", []string{"|import css\n"}, []string{""}},
	} {
		m := message(x, c.parts...)
		for k, want := range c.want {
			var found []string
			m.Names(k, func(name int, place Place) {
				found = append(found, x.Names()[name]+" "+string(rune('0'+place)))
			})
			require.Equal(t, want, strings.Join(found, " "), "%s: piece %d", c.name, k)
		}
	}
}

func TestWeigh(t *testing.T) {
	x := table(t)
	t.Run("each name counts once, where it weighs most", func(t *testing.T) {
		m := message(x, "python, Python\n"+strings.Repeat("words ", 80)+"python:\n", "|"+strings.Repeat("x\n", short))
		scores := make([]float32, len(labels))
		m.Weigh(x, 0, scores)
		require.InDeltaSlice(t, []float32{0, 0, 0, 1.6636}, scores, 1e-3)
		m.Weigh(x, 0, scores)
		require.InDelta(t, 2*1.6636, scores[3], 1e-3, "the working memory is clean")
	})
	t.Run("all together are bounded", func(t *testing.T) {
		for code, most := range map[string]float32{"|x\n": 4.6, "|" + strings.Repeat("x\n", short): 2.3} {
			m := message(x, "python, scikit-learn, main.py\n", code)
			scores := make([]float32, len(labels))
			m.Weigh(x, 0, scores)
			require.InDelta(t, most, scores[3], 1e-6)
		}
	})
	t.Run("names give way where the code is sure", func(t *testing.T) {
		doubting := weights
		doubting.Doubt = 1
		x := x.Weighing(doubting)
		m := message(x, "python:\n", "|"+strings.Repeat("x\n", short))
		for _, c := range []struct{ sure, want float32 }{{0, 0.75 * 1.6636}, {20, 0}} {
			scores := []float32{c.sure, 0, 0, 0}
			m.Weigh(x, 0, scores)
			require.InDelta(t, c.want, scores[3], 1e-3)
		}
	})
	t.Run("three languages do not leak", func(t *testing.T) {
		m := message(x, "my css\n", "|a\n", "the python\n", "|b\n", "and in Go\n", "|c\n")
		var best []string
		for k := range 3 {
			scores := make([]float32, len(labels))
			m.Weigh(x, k, scores)
			best = append(best, labels[slices.Index(scores, slices.Max(scores))])
			require.Len(t, slices.DeleteFunc(scores, func(v float32) bool { return v == 0 }), 1)
		}
		require.Equal(t, []string{"css", "python", "go"}, best)
	})
	t.Run("a message without names", func(t *testing.T) {
		m := message(x, "words\n", "|a\n")
		scores := make([]float32, len(labels))
		m.Weigh(x, 0, scores)
		require.Equal(t, make([]float32, len(labels)), scores)
	})
}

func TestOtherCodeSpeaksForItsLanguage(t *testing.T) {
	x := table(t)
	for name, c := range map[string]struct {
		code string
		want float32 // probability of the second label of the first piece, which is 0.5 from the code alone
	}{
		"a line":  {"|a\n", 0.5 * 5 / (0.5 + 0.5*5)},
		"several": {"|" + strings.Repeat("a\n", short), 0.5 * 11 / (0.5 + 0.5*11)},
	} {
		m := message(x, c.code, "words\n", "|b\n")
		var rows Rows
		rows.Reset(2)
		rows.Add([]float32{-1, -1})
		rows.Add([]float32{-50, 0})
		require.Equal(t, 2, rows.Len())
		rows.Settle(x, m)
		require.InDelta(t, c.want, rows.Posterior(x, m, 0)[1], 1e-3, name)
	}
	m := message(x, "|a\n")
	var rows Rows
	rows.Reset(2)
	rows.Add([]float32{-1, -1})
	rows.Settle(x, m)
	require.Equal(t, []float32{0.5, 0.5}, rows.Posterior(x, m, 0), "there is no other code")
}

func TestAMessageKeepsSoManyNames(t *testing.T) {
	x := table(t)
	m := message(x, strings.Repeat("css python ", 500), "|a\n")
	require.Len(t, m.found, most)
	m.Reset()
	require.Empty(t, m.found)
}

func TestOfALongPartTheEndsAreRead(t *testing.T) {
	x := table(t)
	words := strings.Repeat("some words ", 10_000)
	m := message(x, "css "+words+"Go "+words+"python\n", "|a\n")
	var found []string
	m.Names(0, func(name int, place Place) { found = append(found, x.Names()[name]+" "+string(rune('0'+place))) })
	require.Equal(t, []string{"css 2", "python 0"}, found)
}

func TestATableRefusesWhatItCannotHold(t *testing.T) {
	for _, odds := range []map[string]map[string]float64{
		{"": {}}, {strings.Repeat("x", longest+1): {}}, {"python": {"snake": 2}}, {"python": {"python": 0}},
	} {
		_, err := NewTable(File{Odds: odds}, labels)
		require.Error(t, err)
	}
}
