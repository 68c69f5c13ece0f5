package persona

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"slices"
	"strings"
	"sync"
)

//go:embed catalogue
var embedded embed.FS

// Catalogue holds languages, personas, tasks and their snippets, ready for [Catalogue.Generate]. It is immutable.
type Catalogue struct {
	declared  *declarations
	languages []*Language
	personas  []*Persona
	products  []*Product
	tasks     []*Task
	snippets  []*Snippet
	byID      map[string]*Snippet

	languageNames *nameIndex
	personaNames  *nameIndex
	vocabulary    *vocabulary
	tags          int // number of distinct tags
	ranking       ranking
}

// Language is a programming language or file format of the catalogue.
type Language struct {
	ID         string   `toml:"id"`         // file name of its snippets, without extension
	Name       string   `toml:"name"`       // as people read it: "C#"
	Ext        string   `toml:"ext"`        // value of the contract's ClassificationSpecific: "cs"
	File       string   `toml:"file"`       // extension of its snippet files, without the dot
	Fence      string   `toml:"fence"`      // info string of a Markdown fence
	Into       string   `toml:"into"`       // what to do with a snippet that does not run alone, in a sentence
	Program    string   `toml:"program"`    // how to save one that does, in a sentence, where that matters
	Columns    bool     `toml:"columns"`    // what a line says depends on the column that it begins in
	Aliases    []string `toml:"aliases"`    // other names people write
	Extensions []string `toml:"extensions"` // file extensions people write, with the dot
	Variants   []Form   `toml:"variant"`    // other kinds of file that it is written in

	index int
}

// Form is a kind of file that a language is written in: TypeScript with JSX, in a Vue component.
type Form struct {
	File  string `toml:"file"`  // extension of its snippet files, without the dot
	Ext   string `toml:"ext"`   // value of the contract's ClassificationSpecific
	Fence string `toml:"fence"` // info string of a Markdown fence; the file's extension by default
}

// form returns the kind of file with the extension (".tsx"), or the language's usual one and false.
func (l *Language) form(extension string) (Form, bool) {
	for _, f := range l.Variants {
		if extension == "."+f.File {
			f.Fence = cmp.Or(f.Fence, f.File)
			return f, true
		}
	}
	return Form{l.File, l.Ext, cmp.Or(l.Fence, l.ID)}, extension == "."+l.File
}

// Persona is a role that people see themselves in.
type Persona struct {
	ID        string         `toml:"id"`
	Name      string         `toml:"name"`
	Aliases   []string       `toml:"aliases"`
	Like      string         `toml:"like"`      // id of the persona whose tasks it shares; its own tags and languages order them
	Tone      string         `toml:"tone"`      // the sentence that opens the persona's page
	Tags      map[string]int `toml:"tags"`      // tag to weight, 1 to 5
	Languages []string       `toml:"languages"` // ids of what they usually write in, commonest first
	Usual     []string       `toml:"usual"`     // names of the products that most of them use, commonest first

	index int
	usual []*Product // Usual
}

// Product is a framework, library, database, cloud or tool that people name, or a language that the catalogue has no snippets in.
type Product struct {
	Name      string   `toml:"name"`
	Spelling  []string `toml:"spelling"`  // other names of the same thing
	Related   []string `toml:"related"`   // other things of the same languages and personas; each is a product of its own
	Languages []string `toml:"languages"` // ids of what it is written or used in, commonest first
	Personas  []string `toml:"personas"`  // ids of who names it
	Into      string   `toml:"into"`      // what to do with a snippet about it that does not run alone, in a sentence
	Near      string   `toml:"near"`      // name of the product whose snippets stand in for missing ones
	On        string   `toml:"on"`        // name of the product that it is built on, and left out with: React, for Next.js
	StandIn   bool     `toml:"stand_in"`  // its languages are only the nearest that there are
	Kind      string   `toml:"kind"`      // what it is one of: where no snippet is about it, another of the kind is not shown instead
	Native    bool     `toml:"native"`    // who writes its languages mostly writes them for it: YAML for Kubernetes

	index    int
	near     *Product // Near, or nil
	on       *Product // On, or nil
	snippets []*Snippet
}

// Snippets returns the snippets that are about the product.
func (p *Product) Snippets() []*Snippet { return slices.Clone(p.snippets) }

// shownBy is the product whose snippets are shown for p: itself, the one that is near to it, or nil.
func (p *Product) shownBy() *Product {
	if len(p.snippets) == 0 && p.near != nil {
		p = p.near
	}
	if len(p.snippets) == 0 {
		return nil
	}
	return p
}

// Task is something that developers do, described for no language in particular.
type Task struct {
	ID          string     `toml:"-"` // name of its folder
	Title       string     `toml:"title"`
	Description string     `toml:"description"`
	Tags        []string   `toml:"tags"`
	Level       Level      `toml:"level"`
	Pin         bool       `toml:"pin"` // shown first to whom it fits, before all that is not pinned
	Website     *Link      `toml:"website"`
	Audience    []Audience `toml:"audience"`

	index int
	tags  []int // Tags as numbers
	level int   // Level as a number, of levels
}

// Audience is a group of personas whom a task helps for the same reason.
type Audience struct {
	Why      string         `toml:"why"`
	Personas map[string]int `toml:"personas"` // persona id to weight, 1 to 5
}

// Origin says under which licence a catalogue's snippets may be used, and whom to name. Both may be empty.
type Origin struct {
	Licence     string `toml:"licence"`     // SPDX identifier
	Attribution string `toml:"attribution"` // "the contributors of …"
}

// Link is a web page with its name.
type Link struct {
	Name string `toml:"name"`
	URL  string `toml:"url"`
}

// Level says how much a task asks of its reader.
type Level string

// The levels of a task.
const (
	beginner     Level = "beginner"
	intermediate Level = "intermediate"
	advanced     Level = "advanced"
)

var inOrder = [...]Level{beginner, intermediate, advanced}

const levels = len(inOrder)

// Name is the level as people read it.
func (l Level) Name() string {
	return cmp.Or(map[Level]string{beginner: "first steps", advanced: "advanced"}[l], "everyday")
}

// number counts the levels from 0; it is -1 for anything else.
func (l Level) number() int { return slices.Index(inOrder[:], l) }

// Weights of a task for a persona run from 1 to maxWeight (the persona's daily trade). From aboutWeight on the task is really
// about the persona; below fittingWeight it is only chosen where nothing else is left.
const (
	maxWeight     = 5
	aboutWeight   = 3
	fittingWeight = 2
)

// Snippet is one task in one language.
type Snippet struct {
	Task        *Task
	Language    *Language
	About       []*Product // the frameworks, libraries or tools that it is about; often none
	Form        Form       // the kind of file
	Title       string     // of the task, unless the file gives its own
	Description string     // of the task, unless the file gives its own: what the code does
	Reason      string     // why it helps, whoever it is shown to; empty: the task's audience has it
	Code        string     // what is shown, without a final line break
	Program     string     // Code and the lines that use it, one file that runs; empty: the snippet has none
	Output      []string   // the lines that running Program prints, or Code where it needs no more; nil: not told
	Doc         Link       // documentation; the zero Link if the file names none
	Needs       string     // the oldest version it runs on, such as "Go 1.22"; empty: any that is in use
	Into        string     // what to do with code that does not run alone, in a sentence; empty: as its product or language says
	Prints      []string   // the lines that running the whole file prints
	HasHidden   bool       // the file has lines that are in neither Code nor Program
	Path        string     // of the file, relative to the catalogue's folder
	Origin      Origin     // of the catalogue that has the file

	measures       []string // the claims that the file's own check measures
	setup          string   // hidden lines before something shown
	outputComments []string // Output as comments of the language, under a heading
	index          int
}

// ID names the snippet, and stays when its text changes: "log-summary/python".
func (s *Snippet) ID() string { return s.Task.ID + "/" + s.Language.ID }

// Version differs between two states of a snippet that print differently.
func (s *Snippet) Version() string {
	h := sha256.New()
	for _, text := range append([]string{s.Name(), s.Description, s.Reason, s.Requirement(), s.WithUsage()}, s.Tags()...) {
		h.Write([]byte(text))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:versionBytes])
}

const versionBytes = 6

// Provenance tells the snippet's id, version, licence and whom to name, on one line.
func (s *Snippet) Provenance() string {
	parts := []string{s.ID(), "version " + s.Version(), s.Origin.Licence, s.Origin.Attribution}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ", ")
}

// Languages returns the languages, busiest first.
func (c *Catalogue) Languages() []*Language { return slices.Clone(c.languages) }

// Personas returns the personas, commonest first.
func (c *Catalogue) Personas() []*Persona { return slices.Clone(c.personas) }

// Products returns the frameworks, libraries and tools that are understood.
func (c *Catalogue) Products() []*Product { return slices.Clone(c.products) }

// Snippets returns all snippets by task id, then in the order of the languages.
func (c *Catalogue) Snippets() []*Snippet { return slices.Clone(c.snippets) }

// weight returns how much the task is about the persona: 0 (not at all) to maxWeight.
func (t *Task) weight(p *Persona) int {
	if a := t.audienceOf(p); a != nil {
		return cmp.Or(a.Personas[p.ID], a.Personas[p.Like])
	}
	return 0
}

// audienceOf returns the group that the persona is in, or else the one it is like; nil if neither is in any.
func (t *Task) audienceOf(p *Persona) *Audience {
	for _, id := range []string{p.ID, p.Like} {
		for i := range t.Audience {
			if _, ok := t.Audience[i].Personas[id]; ok && id != "" {
				return &t.Audience[i]
			}
		}
	}
	return nil
}

var loadEmbedded = sync.OnceValues(func() (*Catalogue, error) {
	return Load(nil, embeddedFS())
})

// embeddedFS returns the files of the built-in catalogue.
func embeddedFS() fs.FS {
	files, err := fs.Sub(embedded, "catalogue")
	if err != nil {
		panic(err) // the folder's name is a constant
	}
	return files
}

// Default returns the built-in catalogue, decoded on first use. It panics if the catalogue is broken, which the tests rule out.
func Default() *Catalogue {
	c, err := loadEmbedded()
	if err != nil {
		panic("persona: the built-in catalogue is broken: " + err.Error())
	}
	return c
}
