package persona

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Notes says what was not understood, and which snippets are about the products that were named: plain text, a line each.
func (s Selection) Notes() []string {
	return s.notes(func(name string) string { return `"` + shownName(name) + `"` })
}

// notes are the Notes with somebody's own text as the format wants it.
func (s Selection) notes(quote func(string) string) []string {
	var notes []string
	for _, unknown := range s.Unknown {
		notes = append(notes, unknown.note(quote(unknown.Name)))
	}
	if len(s.Unused) > 0 {
		notes = append(notes, "Read as what you know already, and not used: "+and(s.Unused)+".")
	}
	if len(s.LeftOut) > 0 {
		notes = append(notes, "Left out, as you said: "+and(s.LeftOut)+".")
	}
	if len(s.Absent) > 0 {
		notes = append(notes, "No place was left for "+and(s.Absent)+": name fewer languages at once.")
	}
	for _, useCase := range s.UseCases {
		notes = append(notes, s.noteUseCase(useCase, quote(useCase.Name)))
	}
	if len(s.Versions) > 0 {
		versions := make([]string, len(s.Versions))
		for i, version := range s.Versions {
			versions[i] = quote(version)
		}
		notes = append(notes, "Versions are not told apart ("+strings.Join(versions, ", ")+"): the snippets are written for current ones, and say which they need.")
	}
	for _, p := range s.Products {
		if note := s.noteProduct(p); note != "" {
			notes = append(notes, note)
		}
	}
	isName := func(u Unknown) bool { return u.Field == "languages" || u.Field == "personas" }
	if slices.ContainsFunc(s.Unknown, isName) && len(s.Languages)+len(s.Personas)+len(s.Products)+len(s.UseCases) == 0 {
		notes = append(notes, "So this is the selection for anybody, not one for you.")
	}
	return notes
}

// note says that it was not understood; the name is as the format wants it.
func (u Unknown) note(name string) string {
	switch {
	case u.Field == "exclude":
		return "To exclude: no snippet has the id " + name + "."
	case u.Field == "query":
		return "Ignored: the query has no parameter " + name + "."
	case len(u.Nearest) > 0:
		return "Not understood: " + name + ". Nearest: " + strings.Join(u.Nearest, ", ") + "."
	}
	return "Not understood: " + name + "."
}

// noteUseCase says how many snippets are about what somebody wants to do.
func (s Selection) noteUseCase(useCase UseCase, name string) string {
	n := s.count(func(seed Seed) bool { return slices.Contains(useCase.Tasks, seed.Task) })
	if n == 0 {
		return "Nothing is about " + name + " in what you named yet."
	}
	return "About " + name + ": " + count(n, "snippet") + "."
}

// noteProduct says what of the selection is about the product, and never claims more. It may be nothing.
func (s Selection) noteProduct(p *Product) string {
	var instead []string // languages of the product that are shown
	for _, l := range s.Languages {
		if slices.Contains(p.Languages, l.ID) {
			instead = append(instead, l.Name)
		}
	}
	shown := p.shownBy()
	switch n := s.about(shown); {
	case p.Native && shown == nil && len(instead) > 0:
		return "" // every snippet in C# is one for .NET
	case n > 0 && shown == p:
		return fmt.Sprintf("About %s: %s.", p.Name, count(n, "snippet"))
	case n > 0:
		return fmt.Sprintf("Related to %s: %s about %s.", p.Name, count(n, "snippet"), shown.Name)
	case shown == p && len(instead) == 0:
		return fmt.Sprintf("The snippets about %s are in %s; in what you named there is none yet.", p.Name, and(p.languagesOfSnippets()))
	case len(instead) == 0:
		return p.Name + " is known, but no snippet is about it yet."
	case p.StandIn:
		return "There are no snippets in " + p.Name + " yet; the nearest are in " + and(instead) + "."
	case shown == p && !p.hasSnippets(instead):
		return fmt.Sprintf("The snippets about %s are in %s: what follows is plain %s.", p.Name, and(p.languagesOfSnippets()), and(instead))
	case shown == p: // the limit was too low
		return fmt.Sprintf("More is there about %s than fits here.", p.Name)
	}
	return "No snippet is about " + p.Name + " yet: what follows is plain " + and(instead) + s.butSomeIsFor(p) + "."
}

// butSomeIsFor names the other products that snippets in a product's languages are about.
func (s Selection) butSomeIsFor(p *Product) string {
	var names []string
	for _, seed := range s.Seeds {
		if len(seed.About) > 0 && slices.Contains(p.Languages, seed.Language.ID) {
			names = appendNew(names, seed.About[0].Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return ", or for " + and(names)
}

// about counts the seeds that are about the product.
func (s Selection) about(p *Product) int {
	return s.count(func(seed Seed) bool { return p != nil && slices.Contains(seed.About, p) })
}

func (s Selection) count(is func(Seed) bool) (n int) {
	for _, seed := range s.Seeds {
		n += one(is(seed))
	}
	return n
}

// hasSnippets reports whether any snippet about the product is in the languages.
func (p *Product) hasSnippets(languages []string) bool {
	return slices.ContainsFunc(p.languagesOfSnippets(), func(name string) bool { return slices.Contains(languages, name) })
}

func (p *Product) languagesOfSnippets() []string {
	var names []string
	for _, s := range p.snippets {
		names = appendNew(names, s.Language.Name)
	}
	return names
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func and(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

const shownNameRunes = 60

// shownName is somebody's own text on one line, not too long.
func shownName(name string) string {
	name = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(name, "\ufffd"), func(r rune) bool { return r <= ' ' || r == 0x7f }), " ")
	if utf8.RuneCountInString(name) > shownNameRunes {
		name = string([]rune(name)[:shownNameRunes]) + "…"
	}
	return name
}
