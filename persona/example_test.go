package persona_test

import (
	"fmt"

	"github.com/identity-gateway/caddy-identity-gateway/persona"
)

func ExampleCatalogue_Generate() {
	selection, err := persona.Default().Generate(persona.Request{
		Languages: []string{"Golang"},
		Personas:  []string{"Developer, back-end"},
	}, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, seed := range selection.Seeds {
		fmt.Println(seed.Language.Name, "for a", seed.Persona.Name)
	}
	// Output: Go for a Back-end developer
}
