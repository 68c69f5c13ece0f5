package mention

// Place is where a name stands, as seen from a piece of code.
type Place uint8

// The places.
const (
	Beside  Place = iota // in the last words before the piece, or the first after it
	Close                // a little further before it
	Loose                // elsewhere, and beside no other piece
	Claimed              // beside another piece: it speaks of that one
	Coded                // in another piece
	places
)

// How far the words beside a piece, and close to it, reach, in bytes. What follows a piece speaks of it less often than
// what comes before.
const (
	reachBeside = 80
	reachClose  = 240
	reachAfter  = 80
)

// extent is how much of a part is read at each of its ends, so that the work is bounded. What stands between is far from
// everything.
const extent = 4 << 10

// most is the number of names that are kept of a message; its end has no say then.
const most = 512

// Message holds the names of a message. Its zero value is empty.
type Message struct {
	found  []found
	pieces []span

	// Of Weigh; all zero between calls.
	weight []float32 // by name
	added  []float32 // by label
	names  []int
}

// span is a range of bytes of the message.
type span struct{ start, end int }

// found is a name in the message.
type found struct {
	name, at int
	piece    int // that it stands in, or -1
	owner    int // the piece that it is beside or close to, or -1; set by Finish
	place    Place
}

// Reset empties the message.
func (m *Message) Reset() { m.found, m.pieces = m.found[:0], m.pieces[:0] }

// Text adds a part of a message that is text and begins at the offset start.
func (m *Message) Text(t *Table, text string, start int) { m.scan(t, text, start, -1) }

// Code adds the next piece of code.
func (m *Message) Code(t *Table, text string, start int) {
	m.scan(t, text, start, len(m.pieces))
	m.pieces = append(m.pieces, span{start, start + len(text)})
}

func (m *Message) scan(t *Table, text string, start, piece int) {
	if tail := len(text) - extent; tail > extent {
		m.scan(t, text[:extent], start, piece)
		text, start = text[tail:], start+tail
	}
	if len(m.found) == most {
		return
	}
	t.Scan(text, func(name, at int) {
		if len(m.found) < most {
			m.found = append(m.found, found{name: name, at: start + at, piece: piece, owner: -1, place: Loose})
		}
	})
}

// Finish finds the piece that each name in the text speaks of, if it stands beside or close to one. It must be called
// once after all parts have been added.
func (m *Message) Finish() {
	k := 0 // the next piece
	for i := range m.found {
		f := &m.found[i]
		if f.piece >= 0 {
			f.place = Coded
			continue
		}
		for k < len(m.pieces) && m.pieces[k].start < f.at {
			k++
		}
		before, after := reachClose, reachAfter
		if k < len(m.pieces) {
			before = m.pieces[k].start - f.at
		}
		if k > 0 {
			after = f.at - m.pieces[k-1].end
		}
		switch {
		case k < len(m.pieces) && before <= reachBeside:
			f.owner, f.place = k, Beside
		case k > 0 && after <= reachAfter:
			f.owner, f.place = k-1, Close
		case k < len(m.pieces) && before <= reachClose:
			f.owner, f.place = k, Close
		}
	}
}

// Names calls yield with each name that says something of piece k, and its place.
func (m *Message) Names(k int, yield func(name int, place Place)) {
	for _, f := range m.found {
		switch {
		case f.piece == k:
		case f.owner >= 0 && f.owner != k:
			yield(f.name, Claimed)
		default:
			yield(f.name, f.place)
		}
	}
}
