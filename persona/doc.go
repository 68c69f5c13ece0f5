// Package persona chooses onboarding snippets. Given the programming languages and the roles ("personas") that a person names, it
// selects those that fit from a catalogue of checked source files, and can write them as a Markdown page.
//
//	selection, err := persona.Default().Generate(persona.Request{
//		Languages: []string{"Golang", ".py"},
//		Personas:  []string{"SRE"},
//	}, persona.DefaultLimit)
//
// The catalogue is data: see catalogue/README.md for its format, and [Load] for adding your own. It is decoded once, into values that
// never change afterwards, so everything here is safe for concurrent use. The same request to the same catalogue always has the same
// result.
//
// # Files
//
//	generate.go: a request from beginning to end
//	request.go: what a request may have
//	understand.go: what its names mean
//	marks.go: what job advertisements add to a name
//	sentence.go: names of languages and products in a sentence
//	names.go: names as people write them, with typos
//	vocabulary.go: the words of sentences, from vocabulary.toml
//	usecase.go: what somebody wants to do, as tasks
//	leftover.go: words of a name that nothing was made of
//	choose.go: which snippets, one after the other
//	ranking.go: the scores that they are chosen by
//	selection.go: what was chosen
//	notes.go: what is said of it
//	markdown.go: a page of it
//	catalogue.go: languages, personas, products, tasks, snippets
//	load.go: a catalogue of files, laid over another
//	declarations.go: what its files say, and mistakes in them
//	snippet.go: the directives of a snippet's file
//	usage.go: which of its lines are shown
//	problem.go: mistakes with their places
//	lint.go: what could be better
//	lint_snippet.go: what a snippet claims and needs
package persona
