package persona

// Generate chooses at most limit snippets (0 or less: [DefaultLimit]).
//
// Names are understood as people write them; what is not understood is skipped.
// Every language and every persona named has a seed before any has a second
// one, as far as the limit allows. With languages only, the choice is what helps most
// people; with personas only, it is in the languages they usually write; with
// neither, it is what helps most people in the busiest languages. Beyond the first
// seed of each, only tasks that fit the persona are chosen, so a
// narrow request may have fewer seeds than the limit.
//
// The error is a *[RequestError]: too many names, or too long ones.
func (c *Catalogue) Generate(request Request, limit int) (Selection, error) {
	if err := request.check(); err != nil {
		return Selection{}, err
	}
	if limit <= 0 {
		limit = DefaultLimit
	}
	var languages, personas []int
	for _, name := range request.Languages {
		languages = c.languageNames.find(languages, name)
	}
	for _, name := range request.Personas {
		personas = c.personaNames.find(personas, name)
	}
	var s Selection
	for _, i := range languages {
		s.Languages = append(s.Languages, c.languages[i])
	}
	for _, i := range personas {
		s.Personas = append(s.Personas, c.personas[i])
	}
	s.Seeds = c.choose(languages, personas, min(limit, len(c.snippets)))
	return s, nil
}
