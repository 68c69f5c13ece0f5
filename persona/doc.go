// Package persona chooses onboarding snippets for a person: given the
// programming languages and the roles ("personas") somebody names, it selects
// from a catalogue of checked source files those that fit, and writes them as
// the interface's OnboardedPersonaDetails or as a Markdown page.
//
//	selection, err := persona.Default().Generate(persona.Request{
//		Languages: []string{"Golang", ".py"},
//		Personas:  []string{"SRE"},
//	}, persona.DefaultLimit)
//
// The catalogue is data: see catalogue/README.md for its format, and [Load] for
// adding one's own. It is decoded once, into values that are never changed
// afterwards, so everything here is safe for concurrent use. The same request
// to the same catalogue always has the same answer.
package persona
