package persona

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/identity-gateway/caddy-identity-gateway/segment/fence"
)

// markdownWidth is where prose is wrapped, in characters: pleasant in a terminal.
const markdownWidth = 80

// AppendMarkdown appends the selection as a Markdown page: a heading, then for each seed its title, description, fenced code with
// its usage, what that prints, and links.
func (s Selection) AppendMarkdown(dst []byte) []byte {
	dst = fmt.Appendf(dst, "# %s\n", s.heading())
	for _, persona := range s.Personas {
		dst = appendParagraph(dst, "> ", persona.Tone)
	}
	for _, note := range s.notes(inlineCode) {
		dst = appendParagraph(dst, "", note)
	}
	if len(s.Seeds) == 0 {
		return append(dst, "\nThe catalogue has nothing for this selection yet.\n"...)
	}
	for i, seed := range s.Seeds {
		dst = fmt.Appendf(dst, "\n## %d. %s\n", i+1, seed.Name())
		dst = appendParagraph(dst, "", seed.Description)
		dst = appendParagraph(dst, "", seed.Requirement())
		if why := seed.Why(); why != "" {
			dst = appendParagraph(dst, "", "**"+seed.Persona.Name+":** "+why)
		}
		dst = append(dst, '\n')
		if s.CodeOnly {
			dst = fence.Append(dst, seed.Code, seed.Form.Fence)
		} else {
			dst = fence.Append(dst, seed.program(), seed.Form.Fence)
			if len(seed.Output) > 0 {
				dst = append(dst, "\nPrints:\n\n"...)
				dst = fence.Append(dst, strings.Join(seed.Output, "\n"), "text")
			}
		}
		for _, link := range seed.Links() {
			dst = fmt.Appendf(dst, "\nSee also: [%s](%s)\n", link.Name, link.URL)
		}
		dst = appendParagraph(dst, "", seed.Provenance())
	}
	return dst
}

func (s Selection) heading() string {
	heading := "Starter snippets"
	var personas []string
	for _, p := range s.Personas {
		personas = append(personas, p.Name)
	}
	if len(personas) > 0 {
		heading += " for: " + strings.Join(personas, ", ")
	}
	if names := s.subjects(); len(names) > 0 {
		heading += " – " + strings.Join(names, ", ")
	}
	return heading
}

// subjects are the products that seeds are about, then the languages that other seeds are in.
func (s Selection) subjects() []string {
	var names []string
	products := map[*Product]bool{}
	for _, p := range s.Products {
		if shown := p.shownBy(); s.about(shown) > 0 && !products[shown] {
			products[shown] = true
			names = append(names, shown.Name)
		}
	}
	for _, l := range s.Languages {
		if len(products) == 0 || slices.ContainsFunc(s.Seeds, func(seed Seed) bool {
			return seed.Language == l && !slices.ContainsFunc(seed.About, func(p *Product) bool { return products[p] })
		}) {
			names = append(names, l.Name)
		}
	}
	return names
}

// inlineCode quotes somebody's own text so that none of it is Markdown (CommonMark 0.31, section 6.1).
func inlineCode(name string) string {
	return "`" + strings.ReplaceAll(shownName(name), "`", "'") + "`"
}

// appendParagraph appends a blank line and a paragraph with lines of at most markdownWidth characters, where words allow; nothing if
// the text is empty.
func appendParagraph(dst []byte, prefix, text string) []byte {
	if text == "" {
		return dst
	}
	dst = append(dst, '\n')
	column := 0
	for word := range strings.FieldsSeq(text) {
		width := utf8.RuneCountInString(word)
		switch {
		case column == 0:
			dst = append(dst, prefix...)
			column = len(prefix)
		case column+1+width > markdownWidth:
			dst = append(dst, '\n')
			dst = append(dst, prefix...)
			column = len(prefix)
		default:
			dst = append(dst, ' ')
			column++
		}
		dst = append(dst, word...)
		column += width
	}
	return append(dst, '\n')
}
