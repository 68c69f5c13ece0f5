package persona

import "slices"

// DefaultLimit is how many snippets [Catalogue.Generate] chooses at most without a limit of the caller's.
const DefaultLimit = 12

// Generate chooses at most limit snippets (0 or less: [DefaultLimit]).
//
// Names are understood as people write them; what is not understood is skipped, and told in [Selection.Unknown]. Snippets about a
// product that is named come first; [Selection.Notes] says how many there are. Every language and every persona named has a seed
// before any has a second one, as far as the limit allows. With languages only, the choice is what helps most people; with
// personas only, it is in the languages they usually write; with neither, it is what helps most people in the busiest languages.
// Beyond the first seed of each, only tasks that fit the persona are chosen, so a narrow request may have fewer seeds than the
// limit.
//
// The error is a *[RequestError]: too many names, or too long ones.
func (c *Catalogue) Generate(request Request, limit int) (Selection, error) {
	if err := request.check(); err != nil {
		return Selection{}, err
	}
	if limit <= 0 {
		limit = DefaultLimit
	}
	u := c.understand(request)
	s := Selection{Unknown: u.unknown, Versions: u.versions}
	for _, i := range u.languages {
		s.Languages = append(s.Languages, c.languages[i])
	}
	for _, i := range u.personas {
		s.Personas = append(s.Personas, c.personas[i])
	}
	for _, i := range u.products {
		s.Products = append(s.Products, c.products[i])
	}
	for _, i := range u.known {
		if s.isUnused(c, i) {
			s.Unused = append(s.Unused, c.nameAt(c.languageNames, i))
		}
	}
	for _, i := range u.unwantedLanguages {
		s.LeftOut = append(s.LeftOut, c.languages[i].Name)
	}
	for _, i := range u.unwanted {
		s.LeftOut = append(s.LeftOut, c.products[i].Name)
	}
	s.UseCases = u.useCases
	for _, useCase := range u.useCases {
		for _, t := range useCase.Tasks {
			u.tasks = appendNew(u.tasks, t.index)
		}
	}
	u.choice = request.Choice
	u.exclude = request.Exclude
	s.Seeds = c.choose(u.wish, min(limit, len(c.snippets)))
	for _, i := range u.named {
		if l := c.languages[i]; !slices.ContainsFunc(s.Seeds, func(seed Seed) bool { return seed.Language == l }) {
			s.Absent = append(s.Absent, l.Name)
		}
	}
	return s, nil
}

// isUnused reports whether a language or product, by its index in languageNames, is none of those that the snippets are chosen
// for.
func (s *Selection) isUnused(c *Catalogue, i int) bool {
	if i < len(c.languages) {
		return !slices.Contains(s.Languages, c.languages[i])
	}
	return !slices.Contains(s.Products, c.products[i-len(c.languages)])
}
