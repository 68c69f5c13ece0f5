package attacks

import (
	"fmt"
	"strings"
)

type tried struct {
	attack *Attack
	mode   Mode
}

// tableOf is a table for each chapter, as Markdown. Attacks that succeed say why. Neighbours that end
// alike, for the same reason, share a row.
func tableOf(chapters []Chapter, outcomes map[tried]Outcome) string {
	var b strings.Builder
	modes := Modes()
	for i, chapter := range chapters {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "### %s\n\n", chapter.Title)
		b.WriteString("| The attacker |")
		for _, mode := range modes {
			fmt.Fprintf(&b, " %s |", heading(mode))
		}
		b.WriteString("\n|---" + strings.Repeat("|---", len(modes)) + "|\n")
		for j := 0; j < len(chapter.Attacks); {
			a := &chapter.Attacks[j]
			end := cells(outcomes, a)
			fmt.Fprintf(&b, "| %s<br>*has: %s; wants: %s*", a.Name, a.Means, a.Goal)
			for j++; j < len(chapter.Attacks) && alike(a, &chapter.Attacks[j], outcomes); j++ {
				other := &chapter.Attacks[j]
				fmt.Fprintf(&b, "<br>%s", other.Name)
				if before := &chapter.Attacks[j-1]; other.Means != before.Means || other.Goal != before.Goal {
					fmt.Fprintf(&b, "<br>*has: %s; wants: %s*", other.Means, other.Goal)
				}
			}
			if a.why != "" {
				b.WriteString("<br>" + a.why)
			}
			b.WriteString(end)
		}
	}
	return b.String()
}

// alike tells attacks that share a row.
func alike(a, other *Attack, outcomes map[tried]Outcome) bool {
	return a.why == other.why && cells(outcomes, a) == cells(outcomes, other)
}

// cells are those behind an attack, to the end of the row.
func cells(outcomes map[tried]Outcome, a *Attack) string {
	row := " |"
	for _, mode := range Modes() {
		row += " " + cell(outcomes, a, mode) + " |"
	}
	return row + "\n"
}

// heading is a column's heading: short, because there are nine.
func heading(m Mode) string {
	if m.Protection == Nothing {
		return "IdP alone"
	}
	words := []string{"`callback`", "PKCE ignored", "public"}
	if m.Protection == WithoutCallback {
		words[0] = "without"
	}
	if m.VerifiesPKCE {
		words[1] = "PKCE verified"
	}
	if m.Confidential {
		words[2] = "confidential"
	}
	return strings.Join(words, "<br>")
}

func cell(outcomes map[tried]Outcome, a *Attack, m Mode) string {
	outcome, ok := outcomes[tried{a, m}]
	switch {
	case !ok:
		return "–"
	case outcome.Succeeded():
		return "**succeeds**"
	}
	return string(outcome.StoppedBy)
}
