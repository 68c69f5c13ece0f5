package persona

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

func files(pairs ...string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		fsys[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return fsys
}

const (
	oneLanguage = "[[language]]\nid = \"zog\"\nname = \"Zog\"\next = \"zig\"\nfile = \"zog\"\naliases = [\"zoglang\"]\nextensions = [\".zog\"]\n"
	onePersona  = "[[persona]]\nid = \"captain\"\nname = \"Captain\"\naliases = [\"skipper\"]\ntone = \"Ahoy.\"\ntags = { sea = 5 }\nlanguages = [\"zog\"]\n"
	oneTask     = "title = \"Plot a course\"\ndescription = \"From here to there.\"\ntags = [\"sea\"]\nlevel = \"beginner\"\n\n[[audience]]\nwhy = \"Rocks.\"\npersonas = { captain = 5 }\n"
	oneSnippet  = "// snippet:doc https://example.com/course Course\nconst a = 1;\n"
)

func TestAnOperatorsCatalogueIsAddedToTheBuiltInOne(t *testing.T) {
	c, err := Load(Default(), files("languages.toml", oneLanguage, "personas.toml", onePersona,
		"tasks/plot-a-course/task.toml", oneTask, "tasks/plot-a-course/zog.zog", oneSnippet, "README.md", "notes"))
	require.NoError(t, err)
	require.Len(t, c.languages, len(Default().languages)+1)
	require.Len(t, c.personas, len(Default().personas)+1)
	require.Len(t, c.snippets, len(Default().snippets)+1)

	s := ask(t, c, 3, Request{Languages: []string{"zoglang"}, Personas: []string{"Skipper"}})
	require.Len(t, s.Seeds, 1)
	require.Equal(t, "Plot a course (Zog)", s.Seeds[0].Name())
	require.Equal(t, "Rocks.", s.Seeds[0].Why())
	require.Equal(t, Origin{}, s.Seeds[0].Origin, "what is the operator's own is not said to be ours")
	require.Equal(t, Origin{"Apache-2.0", "the contributors of caddy-identity-gateway"}, c.byID["log-summary/go"].Origin)
}

func TestASnippetsOwnTextStandsInPlaceOfItsTasks(t *testing.T) {
	c, err := Load(nil, files("languages.toml", oneLanguage, "personas.toml", onePersona, "tasks/plot-a-course/task.toml", oneTask,
		"tasks/plot-a-course/zog.zog", "// snippet:title Sail\n// snippet:description By the stars.\n// snippet:description And home.\n// snippet:why It is dark.\n"+oneSnippet))
	require.NoError(t, err)
	s := ask(t, c, 1, Request{Personas: []string{"Captain"}})
	page := string(s.AppendMarkdown(nil))
	require.Contains(t, page, "## 1. Sail (Zog)\n\nBy the stars. And home.\n\n**Captain:** It is dark.\n")
	require.NotContains(t, page, "From here to there.")
}

func TestAnOperatorsCatalogueReplacesItsNamesakes(t *testing.T) {
	base, err := Load(nil, files("languages.toml", oneLanguage, "personas.toml", onePersona,
		"tasks/plot-a-course/task.toml", oneTask, "tasks/plot-a-course/zog.zog", oneSnippet))
	require.NoError(t, err)
	c, err := Load(base, files(
		"languages.toml", strings.ReplaceAll(oneLanguage, "zoglang", "zag"),
		"tasks/plot-a-course/task.toml", strings.ReplaceAll(oneTask, "Plot a course", "Find a way"),
		"tasks/plot-a-course/zog.zog", "const b = 2;\n"))
	require.NoError(t, err)
	require.Len(t, c.languages, 1)
	require.Len(t, c.tasks, 1)
	require.Equal(t, "Find a way", c.tasks[0].Title)
	require.Equal(t, "const b = 2;", c.snippets[0].Code)
	require.Equal(t, []int{0}, c.languageNames.find(nil, "zag"))
	require.Equal(t, "Plot a course", base.tasks[0].Title, "the base stays as it was")
}

func TestProductsAndRolesAreAddedAndTakenOver(t *testing.T) {
	c, err := Load(Default(), files(
		"products.toml", "[[product]]\nname = \"Acme SDK\"\nlanguages = [\"go\"]\npersonas = [\"mobile\"]\n[[product]]\nname = \"react\"\nlanguages = [\"typescript\"]\n",
		"roles.toml", "[nl]\nstudent = [\"leerling\"]\n"))
	require.NoError(t, err)
	for _, want := range []struct{ languages, personas, wantLanguages, wantPersonas string }{
		{"acme sdk", "", "go", "mobile"}, {"React", "", "typescript", ""}, {"Angular", "Leerling", "typescript", "student"},
	} {
		s := ask(t, c, 1, Request{Languages: list(want.languages), Personas: list(want.personas)})
		require.Equal(t, want.wantLanguages, languageIDs(s), want)
		require.Equal(t, want.wantPersonas, personaIDs(s), want)
	}
}

func TestMistakesInProductsAndRolesAreTold(t *testing.T) {
	for want, fs := range map[string]fs.FS{
		`products.toml:3: product "Acme": no language has the id "goo"`:          files("products.toml", "[[product]]\nname = \"Acme\"\nlanguages = [\"goo\"]\n"),
		`products.toml:3: product "Acme": no persona has the id "boss"`:          files("products.toml", "[[product]]\nname = \"Acme\"\npersonas = [\"boss\"]\n"),
		`products.toml:1: product: name is required`:                             files("products.toml", "[[product]]\nlanguages = [\"go\"]\n"),
		`products.toml:4: "Other": the name "go sdk" belongs to "Acme" already`:  files("products.toml", "[[product]]\nname = \"Acme\"\nspelling = [\"go sdk\"]\n[[product]]\nname = \"Other\"\nspelling = [\"go sdk\"]\n"),
		`roles.toml:2: no persona has the id "boss"`:                             files("roles.toml", "[nl]\nboss = [\"baas\"]\n"),
		`roles.toml:3: "student": the name "leerling" belongs to "sre" already`:  files("roles.toml", "[nl]\nsre = [\"leerling\"]\nstudent = [\"leerling\"]\n"),
		`roles.toml: 1 of 1 roles are not where they are looked for: write [lan`: files("roles.toml", "nl.student = [\"leerling\"]\n"),
	} {
		_, err := Load(Default(), fs)
		require.ErrorContains(t, err, want)
	}
}

func TestALaterCatalogueTakesOverNames(t *testing.T) {
	c, err := Load(Default(), files("languages.toml", strings.ReplaceAll(oneLanguage, "zoglang", "golang")))
	require.NoError(t, err)
	found := c.languageNames.find(nil, "golang")
	require.Equal(t, "zog", c.languages[found[0]].ID)
}

// Names that are not understood are compared with all that are similar, of any length.
func TestLongNames(t *testing.T) {
	for length := 40; length < 60; length++ {
		name := strings.Repeat("z", length)
		c, err := Load(nil, files("languages.toml", strings.ReplaceAll(oneLanguage, "zoglang", name)))
		require.NoError(t, err)
		for asked := 40; asked < 60; asked++ {
			s, err := c.Generate(Request{Languages: []string{strings.Repeat("z", asked-3) + "qqq"}}, 3)
			require.NoError(t, err, "%d, %d", length, asked)
			require.NotEmpty(t, s.Unknown)
		}
	}
}

func TestMistakesAreToldWithFileAndLine(t *testing.T) {
	whole := func(changes ...string) fstest.MapFS {
		f := files("languages.toml", oneLanguage, "personas.toml", onePersona,
			"tasks/plot-a-course/task.toml", oneTask, "tasks/plot-a-course/zog.zog", oneSnippet)
		for i := 0; i < len(changes); i += 2 {
			f[changes[i]] = &fstest.MapFile{Data: []byte(changes[i+1])}
		}
		return f
	}
	const task = "tasks/plot-a-course/task.toml"
	for _, c := range []struct {
		name  string
		files fs.FS
		want  []string
	}{
		{"a key that is not known", whole(task, "titel = \"x\"\n"+oneTask), []string{task + `:1: unknown key "titel"`}},
		{"a value of the wrong type", whole(task, strings.Replace(oneTask, `["sea"]`, `"sea"`, 1)), []string{task + ":3: "}},
		{"broken TOML", whole(task, oneTask+"= 3\n"), []string{task + ":9: "}},
		{"a level that is none", whole(task, strings.Replace(oneTask, "beginner", "expert", 1)), []string{task + `:4: level "expert": expected beginner, intermediate or advanced`}},
		{"a persona that is none", whole(task, strings.Replace(oneTask, "captain", "pirate", 1)), []string{task + `:8: audience: no persona has the id "pirate"`}},
		{"a weight out of range", whole(task, strings.Replace(oneTask, "captain = 5", "captain = 6", 1)), []string{task + `:8: audience: persona "captain" has weight 6: expected 1 to 5`}},
		{"a persona in two groups", whole(task, oneTask+"\n[[audience]]\nwhy = \"Wind.\"\npersonas = { captain = 1 }\n"), []string{task + `:12: audience: persona "captain" stands in more than one group`}},
		{"no title", whole(task, strings.Replace(oneTask, "Plot a course", "", 1)), []string{task + ":1: title is required"}},
		{"a website that is no address", whole(task, "website = { name = \"a\", url = \"b\" }\n"+oneTask), []string{task + `:1: website: url "b": expected an absolute https address`}},
		{"a language declared twice", whole("languages.toml", oneLanguage+oneLanguage), []string{`languages.toml:8: language "zog" is declared twice`}},
		{"a language without a name", whole("languages.toml", strings.Replace(oneLanguage, `"Zog"`, `""`, 1)), []string{`languages.toml:1: language "zog": name, ext and file are required`}},
		{"an extension without its dot", whole("languages.toml", strings.Replace(oneLanguage, `".zog"`, `"zag"`, 1)), []string{`languages.toml:7: language "zog": extension "zag": write it with its dot`}},
		{
			"a name of another language", whole("languages.toml", oneLanguage+strings.ReplaceAll(strings.Replace(oneLanguage, `id = "zog"`, `id = "zag"`, 1), `"Zog"`, `"Zag"`)),
			[]string{`languages.toml:8: "zag": the name "zoglang" belongs to "zog" already`},
		},
		{"a persona's unknown language", whole("personas.toml", strings.Replace(onePersona, `["zog"]`, `["zag"]`, 1)), []string{`personas.toml:7: persona "captain": no language has the id "zag"`}},
		{"a tag's weight", whole("personas.toml", strings.Replace(onePersona, "sea = 5", "sea = 0", 1)), []string{`personas.toml:6: persona "captain": tag "sea" has weight 0: expected 1 to 5`}},
		{"a snippet in an unknown language", whole("tasks/plot-a-course/zag.zag", "x"), []string{`tasks/plot-a-course/zag.zag: no language has the id "zag"`}},
		{"a snippet with the wrong extension", whole("tasks/plot-a-course/zog.txt", "x"), []string{`tasks/plot-a-course/zog.txt: a snippet in Zog is named zog.zog`}},
		{"a snippet's directive", whole("tasks/plot-a-course/zog.zog", "a\n// snippet:end\n"), []string{"tasks/plot-a-course/zog.zog:2: snippet:end without"}},
		{"not UTF-8", whole("tasks/plot-a-course/zog.zog", "a\nb\xff"), []string{"tasks/plot-a-course/zog.zog:2: is not valid UTF-8"}},
		{"too large", whole("tasks/plot-a-course/zog.zog", strings.Repeat("a", maxFileBytes+1)), []string{"tasks/plot-a-course/zog.zog: is larger than 65536 bytes"}},
		{"a folder without a task", files("languages.toml", oneLanguage, "tasks/nothing/zog.zog", "x"), []string{"tasks/nothing: has no task.toml"}},
		{"a misnamed folder", whole("Tasks/x/task.toml", oneTask), []string{"Tasks: not part of a catalogue"}},
		{"a stray file", whole("tasks/stray.txt", "x"), []string{"tasks/stray.txt: expected only folders here"}},
		{"several at once", whole("languages.toml", oneLanguage+"x = 1\n", task, strings.Replace(oneTask, "beginner", "", 1)), []string{`languages.toml:8: unknown key`, task + ":4: level"}},
	} {
		_, err := Load(nil, c.files)
		var wrong *LoadError
		require.ErrorAs(t, err, &wrong, c.name)
		for _, want := range c.want {
			require.ErrorContains(t, err, want, c.name)
		}
	}
}

func TestWireValuesOutsideTheInterfaceAreTold(t *testing.T) {
	_, err := Load(Default(), files("languages.toml", strings.Replace(oneLanguage, `ext = "zig"`, `ext = "zag"`, 1)))
	require.ErrorContains(t, err, `languages.toml:1: language "zog": ext "zag" is not a value`)
	_, err = Load(Default(), files("languages.toml", oneLanguage+"variant = [{ file = \"zogx\", ext = \"zag\" }]\n"))
	require.ErrorContains(t, err, `languages.toml:1: language "zog": ext "zag" is not a value`)
}

func TestLintAdvisesBeyondWhatIsRefused(t *testing.T) {
	var got []string
	for _, p := range Lint(Default(), files("languages.toml", oneLanguage, "personas.toml", onePersona,
		"tasks/plot-a-course/task.toml", strings.Replace(oneTask, `why = "Rocks."`, `why = ""`, 1),
		"tasks/plot-a-course/zog.zog", "const a = 1;\n",
		"tasks/sail/task.toml", oneTask[:strings.Index(oneTask, "\n\n[[")])) {
		require.True(t, p.Advice, p.String())
		got = append(got, p.String())
	}
	require.Equal(t, []string{
		"tasks/plot-a-course/task.toml: advice: the description has 1 sentence: 2 to 4 explain the code",
		"tasks/plot-a-course/task.toml: advice: an audience without a why: say in a sentence what it helps these people with",
		"tasks/plot-a-course/zog.zog: advice: shows 1 lines: 5 to 35 are read at a glance",
		"tasks/plot-a-course/zog.zog: advice: names no documentation: add snippet:doc",
		"tasks/sail/task.toml: advice: names no audience: nobody in particular will be shown it",
	}, got)
}

func FuzzLoad(f *testing.F) {
	f.Add(oneLanguage, onePersona, oneTask, oneSnippet)
	f.Add("[[language]]", "persona = 3", "level = true", "// snippet:check\n// snippet:end")
	f.Add("\xff", "[[persona]]\nid = \"a\"", "[[audience]]\npersonas = { a = 1, a = 2 }", "<!-- snippet:prints -->")
	f.Fuzz(func(t *testing.T, languages, personas, task, snippet string) {
		c, err := Load(nil, files("languages.toml", languages, "personas.toml", personas,
			"tasks/plot-a-course/task.toml", task, "tasks/plot-a-course/zog.zog", snippet))
		var wrong *LoadError
		if errors.As(err, &wrong) {
			for _, p := range wrong.Problems {
				require.NotEmpty(t, p.File)
				require.NotEmpty(t, p.Message)
			}
			return
		}
		require.NoError(t, err)
		s := ask(t, c, 0, Request{Languages: []string{"zog"}, Personas: []string{"captain"}})
		s.AppendMarkdown(nil)
	})
}
