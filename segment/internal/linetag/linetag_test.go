package linetag

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// splitLines cuts a text at "\n".
func splitLines(text string) []Line {
	var ls []Line
	begin := int32(0)
	for i := 0; i <= len(text); i++ {
		if i == len(text) || text[i] == '\n' {
			ls = append(ls, Line{begin, int32(i)})
			begin = int32(i) + 1
		}
	}
	return ls
}

// free are the hints of lines that markup says nothing of.
func free(ls []Line) []Hint { return make([]Hint, len(ls)) }

// labels renders the labels of a text as a string of T and C.
func labels(text string, hints ...Hint) string {
	var s Scratch
	var b strings.Builder
	ls := splitLines(text)
	for _, code := range Default().Label(&s, text, ls, append(hints, free(ls)[len(hints):]...), nil) {
		if code {
			b.WriteByte('C')
		} else {
			b.WriteByte('T')
		}
	}
	return b.String()
}

func TestLabels(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"prose", "The quick brown fox jumps over the lazy dog.\nIt does so every day, and nobody minds.", "TT"},
		{"prose, then code", "You can read a file line by line like this:\n\nwith open(path) as f:\n    for line in f:\n        print(line.strip())\n\nThe file is closed at the end.", "TTCCCTT"},
		{"blank line inside code", "#include <stdio.h>\n\nint main(void) {\n    return 0;\n}", "CCCCC"},
		{"stack trace", "Since the upgrade our tests fail with the following error:\n\nTraceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    main()\nValueError: invalid literal for int() with base 10: ''", "TTCCCC"},
		{"log", "This is all I find in the log:\n\n2024-03-01 12:00:01,123 ERROR [main] c.e.App - could not connect\n2024-03-01 12:00:02,004 INFO [main] c.e.App - retrying\n\nIs it the firewall?", "TTCCTT"},
		{"words between code", "Install it with\n\nnpm install -g typescript\n\nThat's it!", "TTCTT"},
		{"German", "Ich habe das heute noch einmal geprüft, und es funktioniert jetzt.\nVielen Dank für die schnelle Hilfe!", "TT"},
		{"Russian", "Вчера я обновил сервер, и всё снова заработало.\nБольшое спасибо за помощь!", "TT"},
		{"Chinese", "昨天我更新了服务器，一切又正常了。\n非常感谢你的帮助！", "TT"},
		{"Japanese", "昨日サーバーを更新したら、また動くようになりました。\nご協力ありがとうございました。", "TT"},
		{"Korean", "어제 서버를 업데이트했더니 다시 작동합니다.\n도와주셔서 정말 감사합니다!", "TT"},
		{"Arabic", "قمت بتحديث الخادم أمس وعاد كل شيء إلى العمل.\nشكرا جزيلا على المساعدة!", "TT"},
		{"Hindi", "मैंने कल सर्वर अपडेट किया और अब सब कुछ फिर से काम कर रहा है।\nआपकी मदद के लिए बहुत धन्यवाद!", "TT"},
		{"empty line", "", "T"},
		{"blank lines", "\n \n\t", "TTT"},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, labels(c.text)) })
	}
}

func TestHintsAreKept(t *testing.T) {
	text := "func main() {\n}\nThis is a sentence, is it not?"
	require.Equal(t, "TTC", labels(text, Text, Text, Code))
}

// Who fences some code fences most of it: what stands outside takes more evidence to be code. Lines that markup decides stay as they are.
func TestBesideFencesLinesTakeMoreEvidenceToBeCode(t *testing.T) {
	const text = "x := f()\n\nexpected 3, got 4\n    f(x)\nwhy?"
	hints := []Hint{Code, Free, Free, Indented, Text}
	fenced, alike := Scratch{Fenced: true}, Scratch{}
	Default().Label(&fenced, text, splitLines(text), hints, nil)
	Default().Label(&alike, text, splitLines(text), hints, nil)
	require.Len(t, fenced.index, 4)
	for i, at := range fenced.index {
		want := alike.scores[i]
		if hints[at] == Free {
			want.Code -= beside
		}
		require.Equal(t, want, fenced.scores[i], "line %d", at)
	}
	require.Positive(t, beside)
}

// Whatever the bytes, there is a label for every line, and blank lines follow the rule.
func FuzzLabel(f *testing.F) {
	for _, seed := range []string{
		"", "\n\n", "\x00\xff\n\x80", "int x;\n\nint y;", "> quoted\n>\n> again", strings.Repeat("a b ", 5000), "\r\n\ttab\r\n", "日本語\n\xe6\x97",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var s Scratch
		ls := splitLines(text)
		got := Default().Label(&s, text, ls, free(ls), nil)
		require.Len(t, got, len(ls))
		for i := 1; i+1 < len(ls); i++ {
			if strings.TrimSpace(text[ls[i].Start:ls[i].End]) == "" && got[i] {
				require.True(t, got[i-1] && got[i+1], "a blank line is code only inside code")
			}
		}
		require.Equal(t, got, Default().Label(&s, text, ls, free(ls), nil), "used scratch changes nothing")
	})
}

// A document of many windows is labelled as its parts are.
func TestLongDocuments(t *testing.T) {
	part := "The server listens on a port of its own, as the manual says.\n\nfor (int i = 0; i < n; i++) {\n    sum += a[i];\n}\n\n"
	one := labels(strings.Repeat(part, 5))
	many := labels(strings.Repeat(part, 2000))
	period := strings.Count(part, "\n")
	require.Equal(t, one[2*period:3*period], many[period*1000:period*1001])
	for i := period; i+2*period < len(many); i += period {
		require.Equal(t, many[period:2*period], many[i:i+period], "lines %d", i)
	}
}

// However short the lines of a long text are, no more of them are read than its bytes pay for, and the others are like them.
func TestOfManyShortLinesSomeAreRead(t *testing.T) {
	const lines = 20 * windowLines
	for name, text := range map[string]string{
		"a column of numbers": strings.Repeat("12\n37\n", lines/2),
		"a list of words":     strings.Repeat("and\nthe\n", lines/2),
		"signs":               strings.Repeat("};\n", lines),
	} {
		var s Scratch
		got := Default().Label(&s, text, splitLines(text)[:lines], make([]Hint, lines), nil)
		require.Less(t, len(s.scores), windowLines+len(text)/lineBytes, name)
		for i, code := range got {
			require.Equal(t, got[0], code, "%s: line %d", name, i)
		}
	}
}

func TestALineAloneTakesMoreEvidence(t *testing.T) {
	for _, c := range []struct {
		scores []Score
		want   []bool
	}{
		{[]Score{{Code: alone / 2}}, []bool{false}},
		{[]Score{{Code: alone * 2}}, []bool{true}},
		{[]Score{{Code: alone / 2}, {Code: alone / 2}}, []bool{true, true}},
	} {
		s := Scratch{scores: c.scores, index: []int32{0, 1}}
		got := make([]bool, len(c.scores))
		s.decode(got, len(got))
		require.Equal(t, c.want, got, c.scores)
	}
}

// What a heading says of a form is a feature of the lines below it, up to the next heading, and of no others.
func TestHeadingsTellOfTheLinesBelow(t *testing.T) {
	found := func(text string) (of [][]uint32) {
		var f Features
		f.Extract(text, splitLines(text), free(splitLines(text)))
		begin := int32(0)
		for i := range f.Index {
			of = append(of, f.Found[begin:f.Hashed[i]])
			begin = f.End[i]
		}
		return of
	}
	for _, heading := range []string{"### %s\n\n", "**%s**\n\n"} {
		text := "Hello.\n\n" + heading + "none\n\n\n\nof them\n\n### End\n\nBye."
		output, steps := found(fmt.Sprintf(text, "Output")), found(fmt.Sprintf(text, "Steps"))
		require.Equal(t, output[0], steps[0], "above")
		require.NotEqual(t, output[2], steps[2], "right below")
		require.NotEqual(t, output[3], steps[3], "further below")
		require.Equal(t, output[5], steps[5], "below the next heading")
	}
}

// Features have rows of their own kind, and those that share one in one network do not in the other.
func TestNetworksPlaceFeaturesApart(t *testing.T) {
	var f Features
	r := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		f.Found = append(f.Found, hashed(kindToken, r.Uint64()), hashedShape(kindShape3, r.Uint64()))
	}
	f.Found = append(f.Found, ContentRows+7)
	f.Hashed, f.End = []int32{int32(len(f.Found)) - 1}, []int32{int32(len(f.Found))}
	first, second := f.Place(nil, 0), f.Place(nil, 1)
	require.EqualValues(t, ContentRows+7, first[len(first)-1], "layout stays where it is")
	one, both := map[uint32]int{}, map[[2]uint32]int{}
	for i, row := range first[:len(first)-1] {
		require.Equal(t, f.Found[i]&OfShape != 0, row >= wordRows, i)
		require.Equal(t, row >= wordRows, second[i] >= wordRows, i)
		require.Less(t, row, uint32(ContentRows), i)
		one[row]++
		both[[2]uint32{row, second[i]}]++
	}
	require.Less(t, len(one), 7900, "some share a row")
	require.Len(t, both, 8000, "none share both")
}

func TestLinesOfOrdinaryLengthAreAllRead(t *testing.T) {
	text := strings.Repeat("return a + b;\n", 5000)
	var s Scratch
	Default().Label(&s, text, splitLines(text)[:5000], make([]Hint, 5000), nil)
	require.Len(t, s.scores, 5000)
}

// Also in windows that are not read.
func TestHintsAreKeptInLongTexts(t *testing.T) {
	const lines = 20 * windowLines
	text := strings.Repeat("a\n", lines)
	hints := make([]Hint, lines)
	for name, hint := range map[string]func(i int) Hint{
		"all decided":  func(i int) Hint { return Text + Hint(i/700%2) },
		"some decided": func(i int) Hint { return Hint(i / 700 % 3) },
	} {
		for i := range hints {
			hints[i] = hint(i)
		}
		var s Scratch
		for i, code := range Default().Label(&s, text, splitLines(text)[:lines], hints, nil) {
			if hints[i] != Free {
				require.Equal(t, hints[i] == Code, code, "%s: line %d", name, i)
			}
		}
	}
}

func TestLabelDoesNotAllocate(t *testing.T) {
	text := strings.Repeat("Some prose, and then\n\n\tcode(1, 2);\n\n", 500)
	ls := splitLines(text)
	m := Default()
	var s Scratch
	hints := free(ls)
	dst := m.Label(&s, text, ls, hints, nil)
	require.Zero(t, testing.AllocsPerRun(10, func() { dst = m.Label(&s, text, ls, hints, dst[:0]) }))
}

func TestEncodeIsTheInverseOfDecode(t *testing.T) {
	again, err := Default().Encode()
	require.NoError(t, err)
	require.Equal(t, embedded, again)
	_, err = Decode(embedded[:len(embedded)-100])
	require.ErrorContains(t, err, "linetag: the model file is damaged")
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := Decode(embedded); err != nil {
			b.Fatal(err)
		}
	}
}
