package persona

import (
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
)

// maxFileBytes bounds each file of a catalogue.
const maxFileBytes = 64 << 10

// declarations is what a catalogue's files say, before anything is derived from it. A second catalogue is laid over a first one
// by declaring on top.
type declarations struct {
	languages []declared[Language]
	personas  []declared[Persona]
	products  []declared[Product]
	ordinary  []string // names that are also words of plain English
	roles     []declared[role]
	tasks     map[string]declared[Task]           // by task id
	snippets  map[string]map[string]parsedSnippet // by task id, then language id
}

// declared is a value with the place it was read from.
type declared[T any] struct {
	value T
	place
}

// place is where something was read. Layer counts the catalogues laid over each other: what is declared later wins.
type place struct {
	file  string
	line  int
	layer int
}

// role is what a persona is called in another language.
type role struct {
	language string // BCP 47
	persona  string // id
	names    []string
}

// reader declares the files of one catalogue folder.
type reader struct {
	files    fs.FS
	layer    int
	origin   Origin
	into     *declarations
	problems []Problem
}

func (d declarations) clone() *declarations {
	d.languages, d.personas, d.products = slices.Clone(d.languages), slices.Clone(d.personas), slices.Clone(d.products)
	d.ordinary, d.roles, d.tasks, d.snippets = slices.Clone(d.ordinary), slices.Clone(d.roles), maps.Clone(d.tasks), maps.Clone(d.snippets)
	for task, snippets := range d.snippets {
		d.snippets[task] = maps.Clone(snippets)
	}
	return &d
}

func (d *declarations) language(id string) *Language {
	for i := range d.languages {
		if d.languages[i].value.ID == id {
			return &d.languages[i].value
		}
	}
	return nil
}

func (d *declarations) hasPersona(id string) bool {
	return slices.ContainsFunc(d.personas, func(p declared[Persona]) bool { return p.value.ID == id })
}

func (r *reader) problem(file string, line int, format string, args ...any) {
	r.problems = append(r.problems, Problem{File: file, Line: line, Message: fmt.Sprintf(format, args...)})
}

// read declares the whole folder: languages and personas first, because tasks and snippets refer to them.
func (r *reader) read() {
	entries, err := fs.ReadDir(r.files, ".")
	if err != nil {
		r.problem(".", 0, "the catalogue's folder cannot be read: %v", err)
		return
	}
	for _, e := range withoutNotes(entries) {
		switch name := e.Name(); name {
		case "catalogue.toml", "languages.toml", "personas.toml", "products.toml", "roles.toml":
		default:
			if name != "tasks" || !e.IsDir() {
				r.problem(name, 0, "not part of a catalogue: expected catalogue.toml, languages.toml, personas.toml, products.toml, roles.toml or the folder tasks")
			}
		}
	}
	r.decode("catalogue.toml", &r.origin, true)
	r.readLanguages("languages.toml")
	r.readPersonas("personas.toml")
	r.readProducts("products.toml")
	r.readRoles("roles.toml")
	r.readTasks("tasks")
}

// withoutNotes leaves out what is for the authors: hidden files and notes.
func withoutNotes(entries []fs.DirEntry) []fs.DirEntry {
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		base := strings.ToUpper(strings.TrimSuffix(e.Name(), path.Ext(e.Name())))
		return strings.HasPrefix(e.Name(), ".") || !e.IsDir() && (base == "README" || base == "LICENSE" || base == "NOTICE")
	})
}

var idPattern = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func (r *reader) readLanguages(file string) {
	var content struct {
		Languages []Language `toml:"language"`
	}
	src, ok := r.decode(file, &content, true)
	if !ok {
		return
	}
	seen, tables := map[string]bool{}, findTables(src, "language")
	for i, language := range content.Languages {
		line := tables.line(i)
		if !r.isNewID(file, line, "language", language.ID, seen) {
			continue
		}
		if language.Name == "" || language.Ext == "" || language.File == "" {
			r.problem(file, line, "language %q: name, ext and file are required", language.ID)
			continue
		}
		for _, f := range append([]Form{{File: language.File, Ext: language.Ext}}, language.Variants...) {
			r.checkForm(file, line, language.ID, f)
		}
		for _, extension := range language.Extensions {
			if !strings.HasPrefix(extension, ".") {
				r.problem(file, lineOf(src, line, extension), "language %q: extension %q: write it with its dot", language.ID, extension)
			}
		}
		r.into.languages = declare(r.into.languages, declared[Language]{language, place{file, line, r.layer}}, func(l *Language) string { return l.ID })
	}
}

// isNewID tells what is wrong with the id of a language or persona, and adds it to those that were seen in the file.
func (r *reader) isNewID(file string, line int, kind, id string, seen map[string]bool) bool {
	switch {
	case !idPattern.MatchString(id):
		r.problem(file, line, "%s: id %q: expected lower-case letters, digits and single hyphens", kind, id)
		return false
	case seen[id]:
		r.problem(file, line, "%s %q is declared twice", kind, id)
		return false
	}
	seen[id] = true
	return true
}

//go:embed classification_specific.txt
var specificList string

// specifics are the contract's closed enumeration ClassificationSpecific: typed clients reject any other value.
var specifics = sync.OnceValue(func() []string { return strings.Fields(specificList) })

// checkForm tells what is wrong with a kind of file of a language.
func (r *reader) checkForm(file string, line int, language string, f Form) {
	switch {
	case f.File == "" || f.Ext == "":
		r.problem(file, line, "language %q: variant: file and ext are required", language)
	case !slices.Contains(specifics(), f.Ext):
		r.problem(file, line, "language %q: ext %q is not a value of the contract's ClassificationSpecific; for a language without one write %q",
			language, f.Ext, "UNKNOWN")
	}
}

func (r *reader) readPersonas(file string) {
	var content struct {
		Personas []Persona `toml:"persona"`
	}
	src, ok := r.decode(file, &content, true)
	if !ok {
		return
	}
	seen, tables := map[string]bool{}, findTables(src, "persona")
	for i, persona := range content.Personas {
		line := tables.line(i)
		if !r.isNewID(file, line, "persona", persona.ID, seen) {
			continue
		}
		if persona.Name == "" {
			r.problem(file, line, "persona %q: name is required", persona.ID)
		}
		for _, tag := range slices.Sorted(maps.Keys(persona.Tags)) {
			if w := persona.Tags[tag]; w < 1 || w > maxWeight {
				r.problem(file, lineOf(src, line, tag), "persona %q: tag %q has weight %d: expected 1 to %d", persona.ID, tag, w, maxWeight)
			}
		}
		if persona.Like != "" && !r.into.hasPersona(persona.Like) {
			r.problem(file, lineOf(src, line, persona.Like), "persona %q: like: no persona before it has the id %q", persona.ID, persona.Like)
		}
		for _, id := range persona.Languages {
			if r.into.language(id) == nil {
				r.problem(file, lineOf(src, line, id), "persona %q: no language has the id %q", persona.ID, id)
			}
		}
		r.into.personas = declare(r.into.personas, declared[Persona]{persona, place{file, line, r.layer}}, func(p *Persona) string { return p.ID })
	}
}

func (r *reader) readProducts(file string) {
	var content struct {
		Ordinary []string  `toml:"ordinary"`
		Products []Product `toml:"product"`
	}
	src, ok := r.decode(file, &content, true)
	if !ok {
		return
	}
	r.into.ordinary = append(r.into.ordinary, content.Ordinary...)
	places := map[string]int{}
	for i := range r.into.products {
		places[key(r.into.products[i].value.Name)] = i
	}
	tables := findTables(src, "product")
	for i, product := range content.Products {
		line := tables.line(i)
		if key(product.Name) == "" {
			r.problem(file, line, "product: name is required")
			continue
		}
		for _, id := range product.Languages {
			if r.into.language(id) == nil {
				r.problem(file, lineOf(src, line, id), "product %q: no language has the id %q", product.Name, id)
			}
		}
		for _, id := range product.Personas {
			if !r.into.hasPersona(id) {
				r.problem(file, lineOf(src, line, id), "product %q: no persona has the id %q", product.Name, id)
			}
		}
		for _, p := range append([]Product{product}, product.relatives()...) {
			added := declared[Product]{p, place{file, line, r.layer}}
			k := key(p.Name)
			if place, ok := places[k]; ok && r.into.products[place].layer < r.layer {
				r.into.products[place] = added
				continue
			}
			places[k] = len(r.into.products)
			r.into.products = append(r.into.products, added)
		}
	}
}

// relatives are the products that a product names as related: they lead to the same languages and personas, and its snippets are
// the nearest to them.
func (p *Product) relatives() []Product {
	relatives := make([]Product, len(p.Related))
	for i, name := range p.Related {
		relatives[i] = Product{Name: name, Languages: p.Languages, Personas: p.Personas, Near: cmp.Or(p.Near, p.Name), StandIn: p.StandIn, Kind: p.Kind}
	}
	return relatives
}

func (r *reader) readRoles(file string) {
	var content map[string]map[string][]string
	src, ok := r.decode(file, &content, true)
	if !ok {
		return
	}
	language, found, all := "", 0, 0
	for _, roles := range content {
		all += len(roles)
	}
	for i, text := range strings.Split(src, "\n") {
		text = strings.TrimSpace(text)
		if header, ok := strings.CutPrefix(text, "["); ok {
			language, _, _ = strings.Cut(header, "]")
		}
		persona, _, _ := strings.Cut(text, "=")
		persona = strings.Trim(persona, ` "`)
		names, ok := content[language][persona]
		if ok {
			found++
		}
		switch {
		case !ok:
		case !r.into.hasPersona(persona):
			r.problem(file, i+1, "no persona has the id %q", persona)
		default:
			r.into.roles = append(r.into.roles, declared[role]{role{language, persona, names}, place{file, i + 1, r.layer}})
		}
	}
	if found != all {
		r.problem(file, 0, "%d of %d roles are not where they are looked for: write [language], then a line \"persona = [names]\" for each", all-found, all)
	}
}

// declare replaces the value of the same id in its place, or appends it.
func declare[T any](list []declared[T], value declared[T], id func(*T) string) []declared[T] {
	i := slices.IndexFunc(list, func(d declared[T]) bool { return id(&d.value) == id(&value.value) })
	if i < 0 {
		return append(list, value)
	}
	list[i] = value
	return list
}

func (r *reader) readTasks(folder string) {
	entries, err := fs.ReadDir(r.files, folder)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		r.problem(folder, 0, "cannot be read: %v", err)
		return
	}
	for _, e := range withoutNotes(entries) {
		switch file := path.Join(folder, e.Name()); {
		case !e.IsDir():
			r.problem(file, 0, "expected only folders here, one for each task")
		case !idPattern.MatchString(e.Name()):
			r.problem(file, 0, "a task's folder is named in lower-case letters, digits and single hyphens")
		default:
			r.readTask(file, e.Name())
		}
	}
}

func (r *reader) readTask(folder, id string) {
	entries, err := fs.ReadDir(r.files, folder)
	if err != nil {
		r.problem(folder, 0, "cannot be read: %v", err)
		return
	}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == "task.toml" }) {
		r.readTaskFile(path.Join(folder, "task.toml"), id)
	}
	if _, ok := r.into.tasks[id]; !ok {
		if !slices.ContainsFunc(r.problems, func(p Problem) bool { return strings.HasPrefix(p.File, folder+"/") }) {
			r.problem(folder, 0, "has no task.toml, and the built-in catalogue has no task of this name")
		}
		return
	}
	for _, e := range withoutNotes(entries) {
		switch file := path.Join(folder, e.Name()); {
		case e.Name() == "task.toml":
		case e.IsDir():
			r.problem(file, 0, "a task has no folders")
		default:
			r.readSnippet(file, id)
		}
	}
}

func (r *reader) readTaskFile(file, id string) {
	var task Task
	src, ok := r.decode(file, &task, false)
	if !ok {
		return
	}
	task.ID = id
	before := len(r.problems)
	if strings.TrimSpace(task.Title) == "" {
		r.problem(file, 1, "title is required")
	}
	if strings.TrimSpace(task.Description) == "" {
		r.problem(file, 1, "description is required")
	}
	if task.Level.number() < 0 {
		r.problem(file, lineOf(src, 1, "level"), "level %q: expected %s, %s or %s", task.Level, beginner, intermediate, advanced)
	}
	if task.Website != nil && !isWebAddress(task.Website.URL) {
		r.problem(file, lineOf(src, 1, "website"), "website: url %q: expected an absolute https address", task.Website.URL)
	}
	seen, tables := map[string]bool{}, findTables(src, "audience")
	for i, audience := range task.Audience {
		for _, persona := range slices.Sorted(maps.Keys(audience.Personas)) {
			at := lineOf(src, tables.line(i), persona)
			switch w := audience.Personas[persona]; {
			case !r.into.hasPersona(persona):
				r.problem(file, at, "audience: no persona has the id %q", persona)
			case seen[persona]:
				r.problem(file, at, "audience: persona %q stands in more than one group", persona)
			case w < 1 || w > maxWeight:
				r.problem(file, at, "audience: persona %q has weight %d: expected 1 to %d", persona, w, maxWeight)
			}
			seen[persona] = true
		}
	}
	if len(r.problems) == before {
		r.into.tasks[id] = declared[Task]{task, place{file, 1, r.layer}}
	}
}

func (r *reader) readSnippet(file, task string) {
	base := path.Base(file)
	id := strings.TrimSuffix(base, path.Ext(base))
	language := r.into.language(id)
	if language == nil {
		r.problem(file, 0, "no language has the id %q: a snippet is named <language id>.<extension>", id)
		return
	}
	if _, ok := language.form(path.Ext(base)); !ok {
		r.problem(file, 0, "a snippet in %s is named %s.%s", language.Name, id, language.File)
		return
	}
	src, ok := r.readFile(file)
	if !ok {
		return
	}
	parsed, err := parseSnippet(src, language.Columns)
	if err != nil {
		r.problem(file, err.line, "%s", err.message)
		return
	}
	if r.into.snippets[task] == nil {
		r.into.snippets[task] = map[string]parsedSnippet{}
	}
	if other, ok := r.into.snippets[task][id]; ok && other.Path != file {
		if _, err := fs.Stat(r.files, other.Path); err == nil { // of the folder that is read
			r.problem(file, 0, "the task has a snippet in %s already, %s: keep one", language.Name, path.Base(other.Path))
			return
		}
	}
	parsed.Path, parsed.Origin = file, r.origin
	r.into.snippets[task][id] = parsed
}

func isWebAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Scheme == "https" && u.Host != ""
}

// readFile reads a bounded UTF-8 file.
func (r *reader) readFile(file string) (string, bool) {
	f, err := r.files.Open(file)
	if err != nil {
		r.problem(file, 0, "cannot be opened: %v", err)
		return "", false
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, maxFileBytes+1))
	switch {
	case err != nil:
		r.problem(file, 0, "cannot be read: %v", err)
	case len(src) > maxFileBytes:
		r.problem(file, 0, "is larger than %d bytes", maxFileBytes)
	case !utf8.Valid(src):
		r.problem(file, firstInvalidLine(src), "is not valid UTF-8")
	default:
		return strings.ReplaceAll(string(src), "\r\n", "\n"), true
	}
	return "", false
}

func firstInvalidLine(src []byte) int {
	invalid := func(line []byte) bool { return !utf8.Valid(line) }
	return 1 + slices.IndexFunc(bytes.Split(src, []byte{'\n'}), invalid)
}

// decode reads a TOML file strictly. It returns the source for finding lines.
func (r *reader) decode(file string, into any, optional bool) (string, bool) {
	if optional {
		if _, err := fs.Stat(r.files, file); errors.Is(err, fs.ErrNotExist) {
			return "", false
		}
	}
	src, ok := r.readFile(file)
	if !ok {
		return "", false
	}
	err := toml.NewDecoder(bytes.NewReader([]byte(src))).DisallowUnknownFields().Decode(into)
	var wrong *toml.DecodeError
	var unknown *toml.StrictMissingError
	switch {
	case err == nil:
		return src, true
	case errors.As(err, &unknown):
		for i := range unknown.Errors {
			line, _ := unknown.Errors[i].Position()
			r.problem(file, line, "unknown key %q", strings.Join(unknown.Errors[i].Key(), "."))
		}
	case errors.As(err, &wrong):
		line, _ := wrong.Position()
		r.problem(file, line, "%s", strings.TrimPrefix(wrong.Error(), "toml: "))
	default:
		r.problem(file, 0, "%s", strings.TrimPrefix(err.Error(), "toml: "))
	}
	return "", false
}

// tables are the lines of the [[name]] headers of a file.
type tables []int

func findTables(src, name string) tables {
	var lines tables
	for i, text := range strings.Split(src, "\n") {
		if strings.HasPrefix(strings.TrimSpace(text), "[["+name+"]]") {
			lines = append(lines, i+1)
		}
	}
	return lines
}

// line is the line of the n-th table, counted from 0, or else 1.
func (t tables) line(n int) int {
	if n < len(t) {
		return t[n]
	}
	return 1
}

// lineOf returns the first line from the given one on that contains the token as a whole, or the given line: the values are found
// by how they are written.
func lineOf(src string, from int, token string) int {
	whole, err := regexp.Compile(`(^|[^\w-])` + regexp.QuoteMeta(token) + `($|[^\w-])`)
	if err != nil {
		return from
	}
	for i, text := range strings.Split(src, "\n") {
		if i+1 >= from && whole.MatchString(text) {
			return i + 1
		}
	}
	return from
}
