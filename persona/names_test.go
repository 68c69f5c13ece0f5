package persona

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLanguageNamesAreUnderstoodAsPeopleWriteThem(t *testing.T) {
	for written, want := range map[string]string{
		// as they are called
		"Go": "go", "python": "python", "C": "c", "R": "r", "C++": "cpp", "C#": "csharp", "F#": "fsharp", "Objective-C": "objectivec",
		// case, spaces and punctuation
		"JAVASCRIPT": "javascript", "java script": "javascript", " type-script ": "typescript", "c sharp": "csharp", "node.js": "javascript typescript", "Power Shell": "powershell",
		// aliases
		"Golang": "go", "cpp": "cpp", "octave": "matlab", "terraform": "hcl", "k8s": "yaml", "postgres": "sql", ".NET": "csharp", "ASP.NET": "csharp", "docker": "dockerfile",
		// extensions
		".py": "python", "py": "python", ".rs": "rust", ".tsx": "typescript", "*.kt": "kotlin", ".m": "matlab", ".mm": "objectivec",
		// plurals, versions and company
		"Makefiles": "makefile", "Python 3.12": "python", "Java 21": "java", "C++20": "cpp", "R language": "r", "C programming": "c", "modern C++": "cpp", "HTML5": "html", "go1.26": "go", "ES2025": "javascript", "godot4": "gdscript csharp",
		// files
		"main.rs": "rust", "index.html": "html", ".ipynb": "python", "analysis.ipynb": "python",
		// small typos
		"pyhton": "python", "javascrpt": "javascript", "kotln": "kotlin", "haskel": "haskell", "TypeScipt": "typescript", "Powrshell": "powershell",
		// several in one
		"HTML/CSS": "html css", "C/C++": "c cpp", "Bash/Shell (all shells)": "bash", "Python, Go & Rust": "python go rust", "MATLAB / Octave": "matlab", "Python and Go": "python go",
		// other writing systems and widths
		"Ｐｙｔｈｏｎ": "python", "Go言語": "go", "Go语言": "go", "питон": "python", "パイソン": "python", "بايثون": "python", "코틀린": "kotlin", "C语言": "c", "자바": "java", "рубин": "", "🐍": "", "Python 🐍": "python",
		// what is none
		"": "", " ": "", "ready to go": "", "Klingon": "", "...": "", "\x00": "", "\xff\xfe": "",
	} {
		s := ask(t, Default(), 1, Request{Languages: []string{written}})
		assert.Equal(t, want, languageIDs(s), "%q", written)
	}
}

func TestPersonaNamesAreUnderstoodAsPeopleWriteThem(t *testing.T) {
	for written, want := range map[string]string{
		"Backend Developer": "back-end", "back end": "back-end", "back-end": "back-end", "BACKEND DEVELOPERS": "back-end",
		"SRE": "sre", "SREs": "sre", "site reliability engineer": "sre",
		"ml engineer": "ml-engineer", "AI/ML engineer": "ml-engineer", "Machine Learning": "data-scientist",
		"teacher": "educator", "Students": "student", "CTO": "executive", "dev ops": "devops", "IoT": "embedded",
		// answers of the Stack Overflow survey, word for word
		"Developer, full-stack": "full-stack", "Developer, back-end": "back-end", "Developer, front-end": "front-end",
		"Developer, desktop or enterprise applications": "desktop",
		"Developer, mobile":                             "mobile",
		"Developer, embedded applications or devices":   "embedded",
		"Developer, game or graphics":                   "game",
		"Developer, QA or test":                         "qa",
		"Data scientist or machine learning specialist": "data-scientist",
		"Data or business analyst":                      "data-analyst",
		"Engineer, data":                                "data-engineer",
		"Engineer, site reliability":                    "sre",
		"Database administrator or engineer":            "dba",
		"DevOps engineer or professional":               "devops",
		"Cloud infrastructure engineer":                 "cloud",
		"Cybersecurity or InfoSec professional":         "security",
		"System administrator":                          "sysadmin",
		"Academic researcher":                           "scientist",
		"Hardware Engineer":                             "hardware",
		"Engineering manager":                           "manager",
		"Senior Executive (C-Suite, VP, etc.)":          "executive",
		"Blockchain":                                    "blockchain",
		// in company
		"Senior Backend Developer": "back-end", "I am a data engineer": "data-engineer", "I am a developer": "full-stack",
		"QA / test engineer": "qa", "hobbyist & student": "hobbyist student", "junior data analyst": "data-analyst",
		// small typos
		"enginering manager": "manager", "backned": "back-end", "data scietist": "data-scientist", "Sysadmn": "sysadmin",
		// what is none
		"astronaut": "", "космонавт": "", "": "", "the": "",
	} {
		s := ask(t, Default(), 1, Request{Personas: []string{written}})
		assert.Equal(t, want, personaIDs(s), "%q", written)
	}
}

func languageIDs(s Selection) string {
	var ids []string
	for _, l := range s.Languages {
		ids = append(ids, l.ID)
	}
	return strings.Join(ids, " ")
}

func personaIDs(s Selection) string {
	var ids []string
	for _, p := range s.Personas {
		ids = append(ids, p.ID)
	}
	return strings.Join(ids, " ")
}

func TestTyposAreCountedInEdits(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"python", "python", 0},
		{"pyhton", "python", 1},
		{"pythn", "python", 1},
		{"pythonn", "python", 1},
		{"pithon", "python", 1},
		{"jython", "cpython", 2},
		{"haskell", "rascal", 3},
		{"", "go", 2},
	} {
		require.Equal(t, c.want, editDistance([]rune(c.a), []rune(c.b), 2), "%s, %s", c.a, c.b)
		require.Equal(t, c.want, editDistance([]rune(c.b), []rune(c.a), 2), "%s, %s", c.b, c.a)
	}
}

func FuzzNames(f *testing.F) {
	for _, seed := range []string{"Golang", "C/C++", "Senior Backend Developer (Go)", "питон", "Ｃ＃", "a b c d e f g h i j k l m n", "\xff", "ﬁ", "İstanbul"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if len(name) > maxNameBytes {
			name = name[:maxNameBytes]
		}
		for _, index := range []*nameIndex{Default().languageNames, Default().personaNames} {
			found := index.find(nil, name)
			require.Equal(t, found, index.find(nil, name), "the same name means the same")
			require.Equal(t, found, index.find(found, name), "nothing is found twice")
		}
	})
}
