package linetagtrain

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/segment/train/corpus"
)

// formula makes a line of mathematics as people write it in a message: an equation, a sum, a result. The corpus has few
// of them, and they are text.
func formula(r *rand.Rand) string {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	number := func() string {
		switch r.IntN(8) {
		case 0:
			return fmt.Sprintf("%d.%d", r.IntN(100), r.IntN(100))
		case 1:
			return fmt.Sprintf("%s%d", pick("$", "€", "£"), r.IntN(1000))
		case 2:
			return fmt.Sprintf("%d%%", r.IntN(101))
		case 3:
			return fmt.Sprintf("%d,%03d", 1+r.IntN(99), r.IntN(1000))
		case 4:
			return fmt.Sprintf("%d/%d", 1+r.IntN(40), 2+r.IntN(40))
		}
		return fmt.Sprint(r.IntN(200))
	}
	variable := func() string {
		return pick("x", "y", "n", "a", "b", "k", "r", "t", "x", "θ", "π", "P(A)", "f(x)", "T_n", "x_1", "x²", "v")
	}
	term := func() string {
		switch r.IntN(6) {
		case 0:
			return variable()
		case 1:
			return number() + variable()
		case 2:
			return variable() + pick("^2", "^3", "²", "/2", "^n", "")
		case 3:
			return "(" + variable() + pick(" + ", " - ", "+") + number() + ")"
		case 4:
			return number() + " " + pick("people", "km", "hours", "copies", "kg", "apples", "points", "meters", "minutes", "cm")
		}
		return number()
	}
	side := func() string {
		var b strings.Builder
		b.WriteString(term())
		for range r.IntN(4) {
			b.WriteString(pick(" + ", " - ", " * ", " × ", " / ", "*", " + ", " · ", " ÷ "))
			b.WriteString(term())
		}
		return b.String()
	}
	switch r.IntN(10) {
	case 0:
		return number()
	case 1:
		return variable() + " " + pick("=", "≈", "≤", ">", "<") + " " + number()
	case 2:
		return pick("= ", "=> ", "⇒ ", "So, ", "Thus ", "→ ") + side() + " = " + number()
	case 3:
		return pick("Total", "Cost", "Area", "Speed", "Answer", "Result", "Sum", "Profit", "Volume", "Average") + pick(": ", " = ") + side()
	}
	l := side() + pick(" = ", " = ", " ≈ ", "=") + side()
	if r.IntN(4) == 0 {
		l += pick(".", ",", " = "+number(), " where "+variable()+" is the "+pick("length", "number of terms", "angle", "rate"))
	}
	return l
}

// calculate puts formulas between the paragraphs of a message, or makes one of nothing else.
func calculate(_ *pool, m *message, r *rand.Rand) {
	m.rewrite(func(out *message, i int, l string) {
		out.add(l, m.labels[i])
		end := m.labels[i] == corpus.Text && i+1 < len(m.lines) && m.labels[i+1] == corpus.Blank
		if !end || r.IntN(3) > 0 {
			return
		}
		if r.IntN(4) > 0 {
			out.add("", corpus.Blank)
		}
		indent := strings.Repeat(" ", []int{0, 0, 0, 2, 4}[r.IntN(5)])
		for range 1 + r.IntN(3) {
			out.add(indent+formula(r), corpus.Text)
		}
	})
}
