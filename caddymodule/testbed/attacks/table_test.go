package attacks

import (
	"fmt"
	"strings"
)

type tried struct {
	attack *Attack
	mode   Mode
}

// tableOf is a table for each chapter, in which attacks that succeed say why, as Markdown.
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
		for j := range chapter.Attacks {
			a := &chapter.Attacks[j]
			fmt.Fprintf(&b, "| %s<br>*has: %s; wants: %s*", a.Name, a.Means, a.Goal)
			if a.why != "" {
				b.WriteString("<br>" + a.why)
			}
			b.WriteString(" |")
			for _, mode := range modes {
				fmt.Fprintf(&b, " %s |", cell(outcomes, a, mode))
			}
			b.WriteString("\n")
		}
	}
	return b.String()
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
