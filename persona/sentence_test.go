package persona

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func spaced(languages, personas string) string {
	return strings.TrimSpace(languages + strings.TrimRight(" / "+personas, " "))
}

func TestSentencesMeanTheSameAmongTheLanguages(t *testing.T) {
	for written, want := range map[string]string{
		"I am learning Go": "go / student", "new to Go": "go / student", "I'm new to C": "c / student", "learning Spring": "java kotlin / student",
		"from PHP to Elixir": "elixir / ; PHP", "moving from Java to Kotlin": "kotlin / ; Java", "I know Java, now Go": "go / ; Java", "Learning Python, know C++": "python / student; C++",
		"I know Java": "java /", "from PHP": "php /",
		"I never programmed before": "/ student", "I have never coded": "/ student", "no programming experience": "/ student", "noch nie programmiert": "/ student", "jamais programmé": "/ student",
	} {
		for _, request := range []Request{{Languages: []string{written}}, {Personas: []string{written}}} {
			s := ask(t, Default(), 1, request)
			got := spaced(languageIDs(s), personaIDs(s))
			if len(s.Unused) > 0 {
				got += "; " + strings.Join(s.Unused, " ")
			}
			assert.Equal(t, strings.ReplaceAll(want, " ;", ";"), got, "%+v", request)
			assert.Empty(t, s.Unknown, "%+v", request)
		}
		if strings.HasSuffix(want, "student") {
			assert.Equal(t, beginner.number(), Default().understand(Request{Languages: []string{written}}).level, written)
		}
	}
	s := ask(t, Default(), 1, Request{Languages: []string{"I know Java", "now Go"}})
	assert.Equal(t, []string{"Read as what you know already, and not used: Java."}, s.Notes())
	assert.Equal(t, "embedded", personaIDs(generate(t, 1, "Senior Java developer", "embedded engineer")), "the role that was named")
	assert.Empty(t, personaIDs(generate(t, 1, "Java developer", "")), "no role was")
}

func TestAPlainWordIsAProductAtTheEndOfATitle(t *testing.T) {
	for title, want := range map[string]string{
		"Database administrator Oracle": "Oracle", "Backend-Entwickler Spring": "Spring", "I use Spring": "Spring",
		"Python data engineer, works at Slack": "", "ready to go with the flow": "", "Software engineer, cloud": "",
	} {
		var names []string
		for _, p := range generate(t, 1, "", title).Products {
			names = append(names, p.Name)
		}
		assert.Equal(t, want, strings.Join(names, " "), title)
	}
}

func TestWhatIsDeniedIsLeftOutAndSaid(t *testing.T) {
	for written, name := range map[string]string{"not Java": "Java", "never used Python": "Python", "no Java please": "Java", "anything but PHP": "PHP", "never used Go": "Go", "not C": "C"} {
		for _, request := range []Request{{Languages: []string{written}}, {Personas: []string{written}}} {
			s := ask(t, Default(), 40, request)
			assert.Empty(t, s.Unknown, written)
			assert.Equal(t, []string{"Left out, as you said: " + name + "."}, s.Notes(), written)
			for _, seed := range s.Seeds {
				assert.NotEqual(t, name, seed.Language.Name, written)
			}
		}
	}
}

func TestWhatIsBuiltOnAnUnwantedProductIsLeftOut(t *testing.T) {
	for _, tt := range []struct{ language, unwanted, personas string }{
		{"Java, not Spring", "Spring Boot", "back-end"},
		{"Java, ale nie Spring", "Spring Boot", "back-end"},
		{"JavaScript, no Node.js", "Express", "full-stack"},
		{"YAML, no Docker", "Docker Compose", "devops"},
		{"JavaScript, no React", "Next.js", "front-end"},
	} {
		s := ask(t, Default(), 40, Request{Languages: []string{tt.language}, Personas: []string{tt.personas}})
		for _, seed := range s.Seeds {
			assert.NotEqual(t, tt.unwanted, seed.subject(), tt.language)
		}
	}
}

func TestAUseCaseFindsItsTasks(t *testing.T) {
	for _, tt := range []struct{ languages, personas, first, note string }{
		{"parse CSV in Go", "", "read-csv-totals/go", `About "parse CSV": 1 snippet.`},
		{"Go", "I want to parse CSV", "read-csv-totals/go", ""},
		{"charts in C", "", "text-bar-chart/c", `About "charts": 1 snippet.`},
		{"Python, read CSV", "", "read-csv-totals/python", ""},
		{"upload a file with Flask", "", "flask-file-upload/python", ""},
		{"rate limiting in Rust", "", "token-bucket/rust", ""},
		{"Java", "unit tests in Java", "junit-parameterized/java", ""}, // and not Python's unittest
		{"C#, unit tests", "", "table-driven-test/csharp", ""},
		{"unit testing in Go", "", "fake-clock-test/go", ""},
		{"send email with Python", "", "", `Nothing is about "send email" in what you named yet.`},
	} {
		s := generate(t, 12, tt.languages, tt.personas)
		assert.Empty(t, s.Unknown, tt)
		if tt.first != "" {
			assert.Equal(t, tt.first, s.Seeds[0].ID(), tt)
		}
		if tt.note != "" {
			assert.Equal(t, []string{tt.note}, s.Notes())
		}
	}
	for _, name := range []string{"Java developer, Payments", "Klingon developer", "parse Klingon"} {
		assert.NotEmpty(t, generate(t, 1, "", name).Unknown, name)
	}
}

func TestWhatAdvertisementsAddChoosesNothing(t *testing.T) {
	for _, tt := range []struct{ title, personas, unknown string }{
		{"Backend Engineer, Payments Team", "back-end", ""},
		{"Développeur back-end H/F, équipe Paiement", "back-end", ""},
		{"Machine Learning Engineer, Research Team", "ml-engineer", ""},
		{"Software Engineer, Frontend Team", "front-end", ""}, // nothing else says what
		{"Software Engineer, Team Lead", "manager", ""},
		{"Data Analyst (12 month FTC, £450/day)", "data-analyst", ""},
		{"Back-end developer, 20h/Woche, 100% remote", "back-end", ""},
		{"Front End Developer, Outside Klingon", "front-end", "Klingon"}, // no use case about what is outside
		{"Data analyst apprentice", "data-analyst", ""},
		{"student and data analyst", "data-analyst student", ""},
		{"Analista de ciberseguridad", "security", ""},
		{"I have never programmed, was a clerk for ten years", "student", ""},
		{"not Java, Klingon", "", "Klingon"},
		{"I don't know any language yet", "student", ""},
		{"Duales Studium (m/w/d) 2026", "student", ""},
		{"Estágio em Desenvolvimento Back-end", "back-end", ""},
		{"Consultant BI (F/H)", "data-analyst", ""},
		{"Android Engineer, Payments Squad", "mobile", ""},
		{"Androidアプリエンジニア", "mobile", ""},
		{"Reactエンジニア", "front-end", ""},
		{"Ingénieur logiciel embarqué (F/H)", "embedded", ""},
		{"AIバックエンドエンジニア", "back-end ai", ""},
	} {
		s := ask(t, Default(), 1, Request{Personas: []string{tt.title}})
		var unknown []string
		for _, u := range s.Unknown {
			unknown = append(unknown, u.Name)
		}
		assert.Equal(t, tt.personas, personaIDs(s), tt.title)
		assert.Equal(t, tt.unknown, strings.Join(unknown, " "), tt.title)
	}
	assert.Equal(t, beginner.number(), Default().understand(Request{Personas: []string{"Data analyst apprentice"}}).level)
}

func TestWhichLanguagesFollow(t *testing.T) {
	for languages, want := range map[string]string{
		".NET Core, Angular, Azure": "csharp typescript", // and not what else there is about Azure
		"Selenium, Cucumber":        "java python",       // and not Ruby, in which nobody of them tests
		"Go albo Rust":              "rust go", "C oder Go": "c go", "TypeScript y algo de Go": "typescript go",
		"Java, Oracle PL/SQL":           "java sql",
		"used Java for years, now Rust": "rust",
	} {
		s, err := Default().Generate(Request{Languages: strings.Split(languages, ", ")}, 12)
		if strings.HasPrefix(languages, "used") {
			s, err = Default().Generate(Request{Languages: []string{languages}}, 12)
		}
		require.NoError(t, err)
		assert.Equal(t, want, languageIDs(s), languages)
		assert.Empty(t, s.Unknown, languages)
		for _, l := range s.Languages {
			assert.True(t, slices.ContainsFunc(s.Seeds, func(seed Seed) bool { return seed.Language == l }), "%s: %s", languages, l.Name)
		}
	}
}

func TestAnotherOfTheKindIsNotShownInstead(t *testing.T) {
	for _, tt := range []struct{ languages, personas, kind string }{
		{"SQL", "DBA Oracle", "relational database"},
		{"PL/SQL", "developer", "relational database"},
		{"PHP, Symfony", "back-end", "PHP framework"},
		{"Quarkus", "back-end", "Java framework"},
		{"Python, TensorFlow", "data scientist", "deep-learning library"},
	} {
		for _, seed := range generate(t, 40, tt.languages, tt.personas).Seeds {
			for _, about := range seed.About {
				assert.NotEqual(t, tt.kind, about.Kind, "%+v: %s", tt, seed.ID())
			}
		}
	}
	assert.Equal(t, "Laravel", generate(t, 12, "PHP", "Symfony, Laravel").Seeds[0].subject(), "one that was asked for, too")
}

func TestUnknownIDsToExcludeAreTold(t *testing.T) {
	s := ask(t, Default(), 1, Request{Languages: []string{"Go"}, Exclude: []string{"no-such/snippet", "log-summary/go", ""}})
	require.Equal(t, []Unknown{{Field: "exclude", Name: "no-such/snippet"}}, s.Unknown)
	require.Equal(t, []string{`To exclude: no snippet has the id "no-such/snippet".`}, s.Notes())
}

func FuzzSentences(f *testing.F) {
	for _, seed := range []string{"from PHP to Elixir", "I know Java; now Go", "never used C, but new to R", "Développeur(se) (H/F) - Java/Kotlin", "parse CSV in Go", "from to now from", "(m/w/d)", "not"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if len(name) > maxNameBytes {
			name = name[:maxNameBytes]
		}
		for _, request := range []Request{{Languages: []string{name}}, {Personas: []string{name}}} {
			s := ask(t, Default(), 3, request)
			again, _ := Default().Generate(request, 3)
			require.Equal(t, s, again, "the same sentence means the same")
			s.Notes()
			s.AppendMarkdown(nil)
		}
	})
}
