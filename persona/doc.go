// Package persona chooses onboarding snippets. Given the programming languages and the roles ("personas") that a person names, it
// selects those that fit from a catalogue of checked source files, and can write them as a Markdown page.
//
//	selection, err := persona.Default().Generate(persona.Request{
//		Languages: []string{"Golang", ".py"},
//		Personas:  []string{"SRE"},
//	}, persona.DefaultLimit)
//
// The catalogue is data: see catalogue/README.md for its format, and [Load] for adding your own. It is decoded once, into values
// that never change afterwards, so everything here is safe for concurrent use. The same request to the same catalogue always has
// the same result.
package persona
