package persona

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	fewestUnderstood = 0.98 // of the survey's names
	mostMistaken     = 0    // names taken for something else
)

// What a name was not understood as is bad; what it was taken for is worse.
func TestTheSurveysNamesAreUnderstood(t *testing.T) {
	src, err := os.ReadFile("testdata/survey-names.tsv")
	require.NoError(t, err)
	var out strings.Builder
	understood, mistaken, all, section := 0, 0, 0, ""
	for line := range strings.Lines(string(src)) {
		line = strings.TrimRight(line, "\n")
		name, rest, ok := strings.Cut(line, "\t")
		if !ok {
			section = strings.TrimPrefix(line, "# ")
			out.WriteString(line + "\n")
			continue
		}
		want, _, _ := strings.Cut(rest, "\t")
		wantLanguages, wantPersonas, ok := strings.Cut(want, "/")
		require.True(t, ok, line)
		wantLanguages, wantPersonas = strings.TrimSpace(wantLanguages), strings.TrimSpace(wantPersonas)
		request := Request{Languages: []string{name}}
		if section == "roles" {
			request = Request{Personas: []string{name}}
		}
		s := ask(t, Default(), 1, request)
		all++
		switch {
		case len(s.Unknown) > 0:
			t.Logf("%s: not understood", name)
		case languageIDs(s) == wantLanguages && (personaIDs(s) == wantPersonas || wantPersonas == "?"):
			understood++
		default:
			mistaken++
			t.Logf("%s: understood as %s / %s instead of %s", name, languageIDs(s), personaIDs(s), want)
		}
		out.WriteString(strings.TrimRight(name+"\t"+want+"\t"+strings.Join(s.Notes(), " "), "\t") + "\n")
	}
	t.Logf("%d of %d understood (%.1f %%), %d mistaken", understood, all, 100*float64(understood)/float64(all), mistaken)
	require.Greater(t, all, 530)
	require.GreaterOrEqual(t, float64(understood)/float64(all), fewestUnderstood)
	require.LessOrEqual(t, mistaken, mostMistaken)
	golden(t, "survey-names.tsv", []byte(out.String()))
}

func TestCommonSpellingsOfProductsAreUnderstood(t *testing.T) {
	for name, want := range map[string]string{
		"Vue": "javascript typescript", "VueJS": "javascript typescript", "vue js": "javascript typescript", "ReactJS": "javascript typescript",
		"React.js": "javascript typescript", "NextJS": "typescript javascript", "Next JS": "typescript javascript", "node": "javascript typescript",
		"NodeJS": "javascript typescript", "ExpressJS": "javascript", "Angular 17": "typescript", "dotnet": "csharp", ".NET Core": "csharp",
		".NET 8": "csharp", "C++20": "cpp", "C++ 17": "cpp", "C# 12": "csharp", "C#/.NET": "csharp", "ES6": "javascript", "python3": "python", "Postgres": "sql",
		"MS SQL": "sql", "T-SQL": "sql", "PL/SQL": "sql", "sklearn": "python", "K8s": "yaml", "Rails": "ruby", "GitHub Actions": "yaml", "AWS Lambda": "yaml hcl python",
		"React & TypeScript": "typescript", "Python (Django)": "python", "Java/Spring": "java", "Spring (Java)": "java", "React Native": "typescript javascript", "C/C++": "c cpp",
		// neighbours that are others
		"Composer": "php", "CMake": "cpp c", "Next.js": "typescript javascript", "NestJS": "typescript", "AngularJS": "javascript", "Nuxt": "typescript javascript",
		"Preact": "javascript typescript", "Jest": "javascript typescript", "Clang": "c cpp", "Less": "scss css", "Bun": "typescript javascript",
		// no product is guessed from a relative that is not known
		"REST": "", "Rest API": "", "Jade": "", "BOSH": "", "Dask": "", "Rusk": "", "Tapestry": "", "Cypres Tree": "",
	} {
		s := ask(t, Default(), 1, Request{Languages: []string{name}})
		assert.Equal(t, want, languageIDs(s), "%q", name)
	}
}

func TestAProductLeadsToItsLanguagesUnlessOneWasNamed(t *testing.T) {
	for _, c := range []struct{ languages, personas, wantLanguages, wantPersonas string }{
		{"React", "", "javascript typescript", "front-end"},
		{"React, TypeScript", "", "typescript", ""},
		{"Python, AWS", "", "python", ""},
		{"React", "student", "javascript typescript", "student"},
		{"Redis", "", "", "back-end"},
		{"", "React developer", "javascript typescript", "front-end"},
		{"", "Unity developer", "csharp", "game"},
		{"", "a senior React developer", "javascript typescript", "front-end"},
		{"", "senior iOS developer", "swift", "mobile"},
		{"", "IT admin in a small company", "", "sysadmin"},
		{"student", "Python", "python", "student"}, // in each other's list
	} {
		s := generate(t, 5, c.languages, c.personas)
		assert.Equal(t, c.wantLanguages, languageIDs(s), "%v", c)
		assert.Equal(t, c.wantPersonas, personaIDs(s), "%v", c)
		assert.Empty(t, s.Unknown, "%v", c)
	}
}

func TestSentencesAreUnderstood(t *testing.T) {
	for written, want := range map[string]string{
		"I am learning Python": "python / student", "learning C": "c / student", "I'm new to Go": "go / student", "Ich lerne Java": "java / student", "J'apprends Rust": "rust / student",
		"I want to learn React and TypeScript": "typescript / student", "learning to code in Rust": "rust / student",
		"machine learning": "/ data-scientist", "Machine learning engineer": "/ ml-engineer",
		"Go developer": "go / full-stack", "Senior Python backend developer": "python / back-end", "C developer": "c / full-stack", "Développeur Python": "python / full-stack",
		"Back-end developer (Go)": "go / back-end", "React engineer": "javascript typescript / front-end", "ML engineer": "/ ml-engineer", "R&D": "/ scientist",
		// languages and products in passing
		"senior backend dev who does Go and k8s": "go yaml / back-end", "data scientist (R)": "r / data-scientist", "embedded C": "c / embedded",
		"Postgres DBA": "sql / dba", "quant analyst, Python": "python / quant", "PHP Laravel dev": "php / back-end", "Elixir/Phoenix": "elixir / back-end",
		"Staff engineer, mostly Rust": "rust /", "Vue 2 developer": "javascript typescript / front-end", "I'm a junior frontend dev learning React": "javascript typescript / front-end",
		"C-level executive": "/ executive", "R&D engineer": "/ scientist",
		// what is denied
		"not a student": "/", "I am not a student": "/", "a teacher, not a student": "/ educator", "not a developer but a data analyst": "/ data-analyst",
		"not only a student": "/ student", "kein Student": "/", "не студент": "/", "neither a student nor a teacher": "/",
		"front-end developer, anything but React": "/ front-end",
		// what somebody does
		"I teach 12 year olds, I'm not a programmer": "/ educator", "mainframe developer at an insurance company": "/ back-end",
		"Senior QA automation engineer": "/ qa", "CTO of a hospital": "/ executive",
	} {
		s := ask(t, Default(), 1, Request{Personas: []string{written}})
		assert.Equal(t, want, strings.TrimSpace(languageIDs(s)+" /"+strings.TrimRight(" "+personaIDs(s), " ")), "%q", written)
		assert.Empty(t, s.Unknown, "%q", written)
	}
	for written, want := range map[string]string{"Go to market manager": "/ manager", "ready to go": "/"} { // "go" is no Go
		s := ask(t, Default(), 1, Request{Personas: []string{written}})
		assert.Equal(t, want, strings.TrimSpace(languageIDs(s)+" /"+strings.TrimRight(" "+personaIDs(s), " ")), "%q", written)
	}
	s := ask(t, Default(), 3, Request{Languages: []string{"Python", "Java", "no Java", "anything but PHP"}, Personas: []string{"developer", "student", "not a student"}})
	assert.Equal(t, "python", languageIDs(s))
	assert.Equal(t, "full-stack", personaIDs(s))
	assert.Empty(t, s.Unknown)
}

func TestRolesAreUnderstoodInTenLanguages(t *testing.T) {
	for want, written := range map[string][]string{
		"back-end":       {"Backend-Entwicklerin", "développeur backend", "desarrollador backend", "desenvolvedora back-end", "sviluppatore backend", "programista backend", "бэкенд-разработчик", "后端工程师", "バックエンドエンジニア", "백엔드 개발자"},
		"student":        {"Studentin", "étudiant", "estudiante", "estagiário", "studente", "studentka", "студент", "学生", "学生", "학생"},
		"sysadmin":       {"Systemadministrator", "administrateur systeme", "administrador de sistemas", "administrador de redes", "sistemista", "administrator sieci", "сисадмин", "系统管理员", "システム管理者", "시스템 관리자"},
		"data-scientist": {"Datenwissenschaftlerin", "scientifique des données", "científica de datos", "cientista de dados", "scienziato dei dati", "uczenie maszynowe", "машинное обучение", "机器学习", "機械学習エンジニア", "데이터 과학자"},
		"educator":       {"Lehrerin", "enseignante", "profesora", "professor", "insegnante", "nauczycielka", "учитель", "老师", "教師", "교사"},
		"game":           {"Spieleentwickler:in", "développeur de jeux vidéo", "desarrolladora de videojuegos", "desenvolvedor de jogos", "sviluppatore di videogiochi", "programista gier", "разработчик игр", "游戏开发", "ゲームプログラマー", "게임 개발자"},
		"manager":        {"Teamleiter", "chef de projet", "jefa de proyecto", "gerente de projetos", "capo progetto", "kierownik projektu", "руководитель проекта", "项目经理", "プロジェクトマネージャー", "프로젝트 관리자"},
	} {
		for _, name := range written {
			assert.Equal(t, want, personaIDs(generate(t, 1, "", name)), "%q", name)
		}
	}
	for written, want := range map[string]string{ // within sentences
		"Ich bin Datenanalystin": "data-analyst", "je suis developpeuse web": "full-stack", "我是后端开发工程师": "back-end", "私はデータエンジニアです": "data-engineer", "저는 백엔드 개발자입니다": "back-end", "я студентка": "student",
	} {
		assert.Equal(t, want, personaIDs(generate(t, 1, "", written)), "%q", written)
	}
}

func TestLevelsAreUnderstoodInTenLanguages(t *testing.T) {
	for level, written := range map[Level][]string{
		beginner:      {"junior analyst", "Datenanalystin, Anfängerin", "développeuse débutante", "desarrollador principiante", "analista de dados júnior", "młodszy programista", "младший разработчик", "初级后端工程师", "新人エンジニア", "신입 개발자"},
		advanced:      {"quantitative researcher, principal", "erfahrene Entwicklerin", "développeur confirmé", "desarrolladora sénior", "desenvolvedor experiente", "Starsza programistka backend", "старший разработчик", "资深后端工程师", "シニアエンジニア", "시니어 개발자"},
		Level("none"): {"back-end developer", "后端工程师", "데이터 과학자"},
	} {
		for _, name := range written {
			assert.Equal(t, level.number(), Default().understand(Request{Personas: []string{name}}).level, "%q", name)
		}
	}
}

func TestWhoDoesNotWantAProductIsNotShownIt(t *testing.T) {
	for _, s := range []Selection{
		generate(t, 12, "TypeScript, not React", ""),
		generate(t, 12, "TypeScript", "front-end developer, anything but React"),
		generate(t, 12, "", "front-end developer, no React"),
	} {
		require.Len(t, s.Seeds, 12)
		require.Empty(t, s.Unknown)
		for _, seed := range s.Seeds {
			for _, p := range seed.About {
				require.NotContains(t, []string{"React", "Next.js", "React Native"}, p.Name, seed.Title)
			}
		}
	}
	require.Equal(t, "typescript", languageIDs(generate(t, 12, "TypeScript", "front-end developer, anything but React")), "React is not its language")
	require.Equal(t, "React Native", generate(t, 1, "React Native, not React", "").Seeds[0].About[0].Name, "who names what is built on it wants that")
}

func TestTheLanguagesOwnPlatformIsNotMissed(t *testing.T) {
	require.Empty(t, generate(t, 5, "C#, .NET 8", "").Notes())
}

func TestWhatWasNotUnderstoodIsTold(t *testing.T) {
	s := generate(t, 2, "Klingon, Pythonista, `#x`", "astronaut")
	page := string(s.AppendMarkdown(nil))
	for _, want := range []string{
		"\nNot understood: `Klingon`.\n", "\nNot understood: `Pythonista`. Nearest: Python.\n", "\nNot understood: `'#x'`.\n",
		"\nNot understood: `astronaut`.\n", "\nSo this is the selection for anybody, not one for you.\n",
	} {
		require.Contains(t, page, want)
	}
	require.Contains(t, s.Notes(), `Not understood: "Pythonista". Nearest: Python.`)

	mixed := ask(t, Default(), 2, Request{Languages: []string{"Python, Klingon; Go"}})
	require.Equal(t, "python go", languageIDs(mixed))
	require.Equal(t, []Unknown{{Field: "languages", Name: "Klingon"}}, mixed.Unknown)
	require.NotContains(t, string(mixed.AppendMarkdown(nil)), "for anybody")

	page = string(generate(t, 2, "Ember, Gleam, Vim", "").AppendMarkdown(nil))
	require.Contains(t, page, "\nNo snippet is about Ember.js yet: what follows is plain JavaScript.\n")
	require.Contains(t, page, "\nThere are no snippets in Gleam yet; the nearest are in Elixir and Erlang.\n")
	require.Contains(t, page, "\nVim is known, but no snippet is about it yet.\n")

	page = string(generate(t, 2, "Kotlin, Spring Boot", "").AppendMarkdown(nil))
	require.Contains(t, page, "\nThe snippets about Spring Boot are in Java: what follows is plain Kotlin.\n")
}
