package persona

import (
	"cmp"
	"io/fs"
	"maps"
	"path"
	"slices"
)

// Load reads a catalogue in the format of catalogue/README.md and lays it over base: languages and personas of the same id, task
// files and snippet files of the same path are replaced, everything else is added. Base may be nil.
//
// A mistake is a *[LoadError], which names each file and line.
func Load(base *Catalogue, files fs.FS) (*Catalogue, error) {
	c, problems := load(base, files)
	if len(problems) > 0 {
		return nil, &LoadError{problems}
	}
	return c, nil
}

func load(base *Catalogue, files fs.FS) (*Catalogue, []Problem) {
	r := reader{files: files, into: &declarations{
		tasks:    map[string]declared[Task]{},
		snippets: map[string]map[string]parsedSnippet{},
	}}
	if base != nil {
		r.into = base.declared.clone()
		for _, l := range r.into.languages {
			r.layer = max(r.layer, l.layer+1)
		}
	}
	r.read()
	c := r.derive()
	return c, r.problems
}

// derive builds the catalogue that serves requests from what was declared.
func (r *reader) derive() *Catalogue {
	d := r.into
	c := &Catalogue{declared: d, byID: map[string]*Snippet{}, vocabulary: embeddedVocabulary()}
	for i, l := range d.languages {
		c.languages = append(c.languages, new(l.value))
		c.languages[i].index = i
	}
	for i, p := range d.personas {
		c.personas = append(c.personas, new(p.value))
		c.personas[i].index = i
	}
	products := map[string]*Product{}
	for i, p := range d.products {
		c.products = append(c.products, new(p.value))
		c.products[i].index = i
		products[key(p.value.Name)] = c.products[i]
	}
	for i, p := range c.products {
		if p.near = products[key(p.Near)]; p.near == nil && p.Near != "" {
			r.problem(d.products[i].file, d.products[i].line, "product %q: near: no product is called %q", p.Name, p.Near)
		}
		if p.on = products[key(p.On)]; p.on == nil && p.On != "" {
			r.problem(d.products[i].file, d.products[i].line, "product %q: on: no product is called %q", p.Name, p.On)
		}
	}
	for i, p := range c.personas {
		for _, name := range p.Usual {
			if products[key(name)] == nil {
				r.problem(d.personas[i].file, d.personas[i].line, "persona %q: usual: no product is called %q", p.ID, name)
				continue
			}
			p.usual = append(p.usual, products[key(name)])
		}
	}
	tags := map[string]int{}
	for _, id := range slices.Sorted(maps.Keys(d.tasks)) {
		task := d.tasks[id].value
		task.index = len(c.tasks)
		task.level = task.Level.number()
		task.tags = nil
		for _, tag := range task.Tags {
			if _, ok := tags[tag]; !ok {
				tags[tag] = len(tags)
			}
			task.tags = append(task.tags, tags[tag])
		}
		c.tasks = append(c.tasks, &task)
		r.addSnippets(c, &task, products)
	}
	c.tags = len(tags)
	c.languageNames = r.indexLanguages()
	c.personaNames = r.indexPersonas()
	c.ranking = rank(c)
	return c
}

func (r *reader) addSnippets(c *Catalogue, task *Task, products map[string]*Product) {
	for _, language := range c.languages {
		file, ok := r.into.snippets[task.ID][language.ID]
		if !ok {
			continue
		}
		s := file.Snippet
		s.Task, s.Language, s.index = task, language, len(c.snippets)
		s.Form, _ = language.form(path.Ext(s.Path))
		s.Title = cmp.Or(s.Title, task.Title)
		s.Description = cmp.Or(s.Description, task.Description)
		for _, about := range file.about {
			product := products[key(about.name)]
			if product == nil {
				r.problem(s.Path, about.line, "snippet:about: no product in products.toml is called %q", about.name)
				continue
			}
			s.About = append(s.About, product)
			product.snippets = append(product.snippets, &s)
		}
		if s.isRunByProduct() {
			s.Output, s.outputComments = nil, nil
		}
		c.snippets = append(c.snippets, &s)
		c.byID[s.ID()] = &s
	}
}
