package persona

// Gap is a language and a persona with too few snippets that are really about both.
type Gap struct {
	Language *Language
	Persona  *Persona
	Snippets int // of a weight of [AboutWeight] or more
}

// Gaps returns every language and persona with fewer than the given number of
// snippets that are really about both.
func (c *Catalogue) Gaps(fewest int) []Gap {
	var gaps []Gap
	for _, language := range c.languages {
		for _, persona := range c.personas {
			n := 0
			for _, r := range c.ranking.list(persona.index, language.index) {
				if r.weight >= AboutWeight {
					n++
				}
			}
			if n < fewest {
				gaps = append(gaps, Gap{language, persona, n})
			}
		}
	}
	return gaps
}
