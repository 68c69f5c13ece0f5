package language_test

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language"
	"github.com/identity-gateway/caddy-identity-gateway/persona"
)

func TestPersonificationOverHTTP(t *testing.T) {
	handler := provision(t, new(language.Personification))
	for _, body := range []string{``, `{}`, `{"languages":["Golang"],"personas":["SRE"]}`, `{"languages":["何か"],"personas":[""]}`} {
		response := call(t, handler, http.MethodPost, personificationPath, body, "")
		require.Equal(t, http.StatusOK, response.Code, response.Body)
		require.Equal(t, persona.DefaultLimit, strings.Count(response.Body.String(), `"type":"SEEDED_ASSET"`))
	}
	response := call(t, handler, http.MethodPost, personificationPath, `{"languages":["go"]}`, "text/plain")
	require.Contains(t, response.Body.String(), "```go\n")
	require.NotContains(t, response.Header(), "Personification-Not-Understood")
	for _, accept := range []string{"", "text/plain"} {
		response = call(t, handler, http.MethodPost, personificationPath, `{"languages":["go","何か"],"personas":["astronaut"]}`, accept)
		require.Equal(t, `%"%e4%bd%95%e3%81%8b";field=languages, "astronaut";field=personas`, response.Header().Get("Personification-Not-Understood"))
	}
}

func TestPersonificationReadsItsQuery(t *testing.T) {
	handler := provision(t, new(language.Personification))
	const body = `{"languages":["go","Klingon"]}`
	first := call(t, handler, http.MethodPost, personificationPath+"?explain=true", body, "").Body.String()
	require.Contains(t, first, `"notes":["Not understood: \"Klingon\"."]`)
	require.NotContains(t, call(t, handler, http.MethodPost, personificationPath, body, "").Body.String(), "Klingon")
	id := regexp.MustCompile(`"([a-z0-9-]+/go), version [0-9a-f]{12}, Apache-2.0`).FindStringSubmatch(first)
	require.NotNil(t, id, first)
	require.NotContains(t, call(t, handler, http.MethodPost, personificationPath+"?exclude="+id[1], body, "").Body.String(), id[1]+",")
	require.NotEqual(t, first, call(t, handler, http.MethodPost, personificationPath+"?explain=true&seed=1", body, "").Body.String())
	for query, want := range map[string]string{"seed=one": "must be a whole number", "explain=yes": "must be true or false", "exclude=" + strings.Repeat("a,", 256): "exclude: 257 names given"} {
		response := call(t, handler, http.MethodPost, personificationPath+"?"+query, body, "")
		require.Equal(t, http.StatusBadRequest, response.Code, query)
		require.Contains(t, response.Body.String(), want)
	}
}

func TestHowCodeIsUsedCanBeLeftOut(t *testing.T) {
	handler := provision(t, new(language.Personification))
	for _, accept := range []string{"", "text/plain"} {
		for query, told := range map[string]bool{"": true, "?usage=true": true, "?usage=false": false} {
			text := call(t, handler, http.MethodPost, personificationPath+query, `{"languages":["go"]}`, accept).Body.String()
			require.Equal(t, told, strings.Contains(text, "// Usage:"), query)
			require.Equal(t, told, strings.Contains(text, "Prints:"), query)
			require.Equal(t, told, strings.Contains(text, "func main() {"), query)
		}
	}
}

func TestWhatIsNotKnownInTheQueryIsTold(t *testing.T) {
	handler := provision(t, new(language.Personification))
	response := call(t, handler, http.MethodPost, personificationPath+"?exlude=log-summary/go&exclude=no-such/snippet&explain=true", `{"languages":["go"]}`, "")
	require.Equal(t, http.StatusOK, response.Code)
	require.Equal(t, `"no-such/snippet";field=exclude, "exlude";field=query`, response.Header().Get("Personification-Not-Understood"))
	require.Contains(t, response.Body.String(), `"notes":["To exclude: no snippet has the id \"no-such/snippet\".","Ignored: the query has no parameter \"exlude\"."]`)
}

func TestMarkdownByItsOwnMediaType(t *testing.T) {
	handler := provision(t, new(language.Personification))
	text := call(t, handler, http.MethodPost, personificationPath, "", "text/plain")
	markdown := call(t, handler, http.MethodPost, personificationPath, "", "text/markdown")
	require.Equal(t, "text/markdown; charset=utf-8", markdown.Header().Get("Content-Type"))
	require.Equal(t, text.Body.String(), markdown.Body.String())
	refusal := call(t, handler, http.MethodPost, personificationPath, "{", "text/markdown")
	require.Equal(t, "text/plain; charset=utf-8", refusal.Header().Get("Content-Type"))
}

func TestTheOperatorsOwnCatalogue(t *testing.T) {
	folder := t.TempDir()
	task := filepath.Join(folder, "tasks", "house-rules")
	require.NoError(t, os.MkdirAll(task, 0o755))
	write := func(name, content string) {
		require.NoError(t, os.WriteFile(filepath.Join(task, name), []byte(content), 0o644))
	}
	write("task.toml", "title = \"House rules\"\ndescription = \"How we do it here.\"\ntags = [\"house\"]\nlevel = \"beginner\"\n\n[[audience]]\nwhy = \"It is your house.\"\npersonas = { sre = 5 }\n")
	write("go.go", "package house\n\nimport \"fmt\"\n\nfunc Rule() {\n\tfmt.Println(\"knock before you enter\")\n}\n")
	handler := provision(t, &language.Personification{Catalogue: folder})
	require.Contains(t, call(t, handler, http.MethodPost, personificationPath, `{"languages":["go"],"personas":["sre"]}`, "").Body.String(),
		"knock before you enter")

	languages := filepath.Join(folder, "languages.toml")
	require.NoError(t, os.WriteFile(languages, []byte("[[language]]\nid = \"cobol\"\nname = \"COBOL\"\next = \"cobol\"\nfile = \"cob\"\n"), 0o644))
	require.ErrorContains(t, provisionError(t, &language.Personification{Catalogue: folder}), "cobol", "an ext that typed clients would reject")
	require.NoError(t, os.Remove(languages))

	write("task.toml", "title = \"House rules\"\ndescription = \"How we do it here.\"\nlevels = \"beginner\"\n")
	require.ErrorContains(t, provisionError(t, &language.Personification{Catalogue: folder}), "task.toml:3", "file and line of the mistake")
}
