package persona

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTheMarksOfJobAdvertisementsAreNoLanguages(t *testing.T) {
	for _, mark := range []string{
		"(m/w/d)", "m/w/d", "(w/m/d)", "(d/m/w)", "f/m/d", "(F/M/D)", "d/f/m", "(m/f/x)", "(m|w|d)", "(m,w,d)", "(m / w / d)", "(m*w*d)", "(mwd)", "(m/w/divers)", "(gn)",
		"H/F", "(h/f)", "F/H", "(H/F/X)", "m/v", "(m/v/x)", "k/m", "(K/M)", "(M/K)", "(all genders)", "all genders", "(any gender)", "(m/ž)",
	} {
		for _, request := range []Request{
			{Personas: []string{"Senior Java Developer " + mark}}, {Personas: []string{mark + " Java developer"}}, {Languages: []string{"Java " + mark}},
		} {
			s := ask(t, Default(), 1, request)
			assert.Equal(t, "java", languageIDs(s), "%+v", request)
			assert.Empty(t, s.Notes(), "%+v", request)
		}
	}
	for name, want := range map[string]string{ // letters that are languages
		"C/D": "c", "C/F#": "c fsharp", "C (R)": "c r", "D": "cpp c", "R/C": "r c", "C/C++": "c cpp",
	} {
		assert.ElementsMatch(t, strings.Fields(want), strings.Fields(languageIDs(generate(t, 1, name, ""))), name)
	}
}

func TestTitlesForEverybodyAreRoles(t *testing.T) {
	for title, want := range map[string]string{
		"Java-Entwickler:in (m/w/d)": "java / full-stack", "Softwareentwickler*in C++": "cpp / full-stack", "Entwickler/-in Java": "java / full-stack",
		"Softwareentwickler/in": "/ full-stack", "Programador(a) PHP": "php / full-stack", "Desarrollador/a Java": "java / full-stack",
		"Développeur·euse Python (H/F)": "python / full-stack", "Développeur(se) Java H/F": "java / full-stack", "Analista Programador/a Java": "java / full-stack",
		"Senior Software Engineer - Java/Kotlin (all genders)": "java kotlin / full-stack", "Backend Developer | Go/Python": "go python / back-end",
		"Backend Engineer (Go/Kubernetes)": "go yaml / back-end", "データエンジニア（Python／Spark）": "python / data-engineer", "フロントエンドエンジニア【React／TypeScript】": "typescript / front-end",
		"Desarrollador Java con Spring Boot": "java / back-end", "Pessoa desenvolvedora Java": "java / full-stack",
	} {
		s := ask(t, Default(), 5, Request{Personas: []string{title}})
		assert.Equal(t, want, spaced(languageIDs(s), personaIDs(s)), title)
		assert.Empty(t, s.Unknown, title)
	}
}
