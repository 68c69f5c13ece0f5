package persona

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The golden file is there to be read by eye: would each of these people be glad of what they get?
func TestTypicalRequests(t *testing.T) {
	var out strings.Builder
	for _, r := range []Request{
		{},
		{Languages: []string{"Python"}},
		{Languages: []string{"TypeScript", "Rust"}},
		{Personas: []string{"student"}},
		{Personas: []string{"Data scientist or machine learning specialist"}},
		{Personas: []string{"SRE", "DBA"}},
		{Languages: []string{"Golang", ".py"}, Personas: []string{"SRE"}},
		{Languages: []string{"C", "C++"}, Personas: []string{"Developer, embedded applications or devices"}},
		{Languages: []string{"JavaScript", "HTML/CSS"}, Personas: []string{"Developer, front-end"}},
		{Languages: []string{"Kotlin", "Swift"}, Personas: []string{"mobile developer"}},
		{Languages: []string{"C#"}, Personas: []string{"game dev", "desktop developer"}},
		{Languages: []string{"SQL"}, Personas: []string{"data analyst"}},
		{Languages: []string{"bash", "yaml", "Dockerfile", "terraform"}, Personas: []string{"DevOps engineer"}},
		{Languages: []string{"PowerShell", "perl"}, Personas: []string{"sys admin"}},
		{Languages: []string{"Julia", "MATLAB"}, Personas: []string{"academic researcher"}},
		{Languages: []string{"Rust"}, Personas: []string{"web3 developer", "infosec"}},
		{Languages: []string{"php", "java"}, Personas: []string{"Backend Developers"}},
		{Languages: []string{"R", "excel"}, Personas: []string{"CTO"}},
		{Languages: []string{"Lua", "python"}, Personas: []string{"hobbyist", "teacher"}},
		{Languages: []string{"pyhton", "Javascrpit"}, Personas: []string{"QA enginer"}},
		// who names products
		{Languages: []string{"Django"}},
		{Languages: []string{"React", "TypeScript"}},
		{Languages: []string{"Python", "pandas", "PostgreSQL"}, Personas: []string{"data analyst"}},
		{Languages: []string{"Node.js", "Express", "Redis"}, Personas: []string{"Senior backend developer"}},
		{Languages: []string{"Kubernetes", "Terraform", "Docker"}, Personas: []string{"DevOps engineer"}},
		{Languages: []string{"Java", "JUnit"}, Personas: []string{"QA engineer"}},
		{Languages: []string{"Go", "Redis", "Helm"}, Personas: []string{"SRE"}},
		{Personas: []string{"I am learning NumPy and scikit-learn"}},
		{Languages: []string{"Flask", "Ember"}, Personas: []string{"full-stack"}},
	} {
		s := ask(t, Default(), DefaultLimit, r)
		fmt.Fprintf(&out, "languages %q, personas %q\n%s\n", r.Languages, r.Personas, s.heading())
		for _, note := range s.Notes() {
			fmt.Fprintf(&out, "      %s\n", note)
		}
		for i, seed := range s.Seeds {
			fmt.Fprintf(&out, "%4d. %s [%s]", i+1, seed.Name(), seed.Task.Level)
			if seed.Persona != nil {
				fmt.Fprintf(&out, " %s: %s", seed.Persona.ID, seed.Why())
			}
			out.WriteByte('\n')
		}
		out.WriteByte('\n')
	}
	golden(t, "typical-requests.golden", []byte(out.String()))
}

// golden compares with a file of testdata; UPDATE=1 writes it instead.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := "testdata/" + name
	if os.Getenv("UPDATE") != "" {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(file, got, 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "%s differs: read the change, then UPDATE=1 go test ./persona", file)
}
