// Package linetag labels the lines of a message as text or code where no markup tells. A line's tokens, their shapes and
// the line's place in the layout are hashed into rows of an embedding table whose sum describes the line; two
// bidirectional layers of simple recurrent units (Lei et al., "Simple Recurrent Units for Highly Parallelizable
// Recurrence", EMNLP 2018) bring in the lines around it; a linear-chain conditional random field (Lafferty et al., ICML
// 2001) with transition scores from the same layers picks the best sequence of labels. The scores are the means of those
// of a few such networks, trained apart. Work and memory are linear in the number of lines, and bounded for each line.
package linetag

import "slices"

// Line is the place of a line in the text: text[Start:End], without its line ending.
type Line struct{ Start, End int32 }

// Hint is what markup says of a line.
type Hint uint8

// The hints.
const (
	Free     Hint = iota // nothing: the model decides
	Text                 // text by markup; returned as such, and context for the lines around it
	Code                 // code by markup; returned as such, and context for the lines around it
	Indented             // in an indented code block by the rules of CommonMark: evidence, not a verdict
)

// Scratch is the working memory of a call of Model.Label; it can be reused, by one call at a time. It keeps a few
// megabytes, and 17 bytes for every line of the longest text.
type Scratch struct {
	// Pause, if it is set, is called between the windows of a long text: every few milliseconds.
	Pause func()
	// Fenced says that the message marks code with fences. What stands outside of them takes more evidence to be code.
	Fenced bool

	features Features
	network  activations
	index    []int32 // of the lines with content that were read
	scores   []Score // of these lines
	back     []uint8
}

// Long texts are scored in windows, with lines of context on either side: more than the recurrent layers reach.
const (
	windowLines   = 1024
	windowContext = 128
)

// lineBytes bounds the work for each byte of a text: lines cost the networks about the same, however short they are.
// Behind the first window, one line is read for so many bytes of lines. Columns of numbers and lists of words have fewer,
// and windows of theirs are left unread: their lines are what the lines read before and behind them are.
const lineBytes = 12

// Label appends the label of every line to dst, true for code, and returns the extended slice. hints is as long as ls. A blank or unread line between two lines of code is code, any other one is text. After the first calls no memory
// is allocated. Any bytes are accepted.
func (m *Model) Label(s *Scratch, text string, ls []Line, hints []Hint, dst []bool) []bool {
	begin := len(dst)
	for range ls {
		dst = append(dst, false)
	}
	marked := slices.Contains(hints, Code)
	s.index, s.scores = s.index[:0], s.scores[:0]
	credit, read := windowLines, 0 // lines that may be read; the end of the last window that was
	for at := 0; at < len(ls); at += windowLines {
		end := min(at+windowLines, len(ls))
		if at > 0 {
			credit += bytesOf(ls[at:end]) / lineBytes
			if s.Pause != nil {
				s.Pause()
			}
		}
		switch {
		case isDecided(hints[max(at-1, 0):end]):
			s.keep(text, ls, hints, at, end)
			read = end
		case credit >= end-at:
			credit -= end - at
			m.read(s, text, ls, hints, at, end, marked)
			read = end
		default:
			s.keep(text, ls, hints, at, end)
		}
	}
	if s.Fenced {
		for i, at := range s.index {
			if hints[at] == Free {
				s.scores[i].Code -= beside
			}
		}
	}
	if len(s.index) > 0 {
		s.decode(dst[begin:], read)
	}
	return dst
}

func bytesOf(ls []Line) (n int) {
	for _, l := range ls {
		n += int(l.End - l.Start)
	}
	return n
}

// isDecided reports whether markup decides all lines: the networks have nothing to say then.
func isDecided(hints []Hint) bool {
	for _, h := range hints {
		if h != Text && h != Code {
			return false
		}
	}
	return true
}

// read scores the lines ls[at:end]; marked says that some line of the text is code by markup.
func (m *Model) read(s *Scratch, text string, ls []Line, hints []Hint, at, end int, marked bool) {
	from, to := max(at-windowContext, 0), min(end+windowContext, len(ls))
	f := &s.features
	f.extract(text, ls[from:to], hints[from:to], marked)
	first, _ := slices.BinarySearch(f.Index, int32(at-from))
	last, _ := slices.BinarySearch(f.Index, int32(end-from))
	s.scores = m.appendScores(s.scores, &s.network, f, first, last)
	for _, i := range f.Index[first:last] {
		s.index = append(s.index, int32(from)+i)
	}
}

// keep scores those of the lines ls[at:end] that markup decides, by that alone.
func (s *Scratch) keep(text string, ls []Line, hints []Hint, at, end int) {
	for i := at; i < end; i++ {
		var sum summary
		if (hints[i] == Text || hints[i] == Code) && outline(text, ls[i], &sum) {
			s.index = append(s.index, int32(i))
			s.scores = append(s.scores, hints[i].decide(Score{}))
		}
	}
}

// alone is how much more evidence a line takes to be code if it is all there is, in log odds: what people send in one line is
// mostly words. Chosen on parts of the training data that were held out.
const alone = 0.5

// beside is the same for each line of a message that has other code in fences. On such a part half as many lines of text are taken for
// code as without, and a block of thirty that was left bare is lost.
const beside = 1

// decode finds the best sequence of labels (Viterbi) and writes it to out. Lines from read on are unread.
func (s *Scratch) decode(out []bool, read int) {
	n := len(s.scores)
	if cap(s.back) < n {
		s.back = make([]uint8, n+n/2)
	}
	back := s.back[:n]
	text, code := float32(0), s.scores[0].Code
	if n == 1 {
		code -= alone
	}
	for i := 1; i < n; i++ {
		sc := &s.scores[i]
		var from uint8
		toText, toCode := text, code
		if leave := code + sc.Leave; leave > text {
			toText = leave
			from = 1
		}
		if enter := text + sc.Enter; enter >= code {
			toCode = enter
		} else {
			from |= 2
		}
		back[i] = from
		// Only the difference matters: the sums stay small however long the document is.
		text, code = 0, toCode+sc.Code-toText
	}
	label := code > text
	codeAt := -1 // the line below, if it is code
	if read < len(out) {
		codeAt = len(out)
	}
	for i := n - 1; i >= 0; i-- {
		at := int(s.index[i])
		if label {
			out[at] = true
			for j := at + 1; j < codeAt; j++ {
				out[j] = true
			}
			codeAt = at
			label = back[i]&2 != 0
		} else {
			codeAt = -1
			label = back[i]&1 != 0
		}
	}
}
