package identity

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The template of README.md, on a page in the user's language.
func TestPagesThroughCaddy(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	_, template, found := strings.Cut(string(readme), "```text\n<!DOCTYPE html>\n")
	require.True(t, found)
	template, _, _ = strings.Cut(template, "```")
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "page.html"), []byte(template), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "logo.svg"), []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`), 0o600))
	t.Setenv("TEST_COMPANY", "Example, Inc.")
	g := newGateway(t, "endpoint logout none\npages {\nname {env.TEST_COMPANY}\nlogo "+folder+"/logo.svg\nhelp https://example.com/help\ntemplates "+folder+"\n}")
	page := g.get("/v2/logout", "Accept-Language", "de-CH, de;q=0.9", "Accept", "text/html")
	require.Equal(t, 200, page.StatusCode)
	for _, want := range []string{
		`<html lang="de" dir="ltr">`, "Von der App abgemeldet", `alt="Example, Inc."`, `<footer><a href="https://example.com/help">Hilfe</a></footer>`,
	} {
		require.Contains(t, page.body, want)
	}
	failed := g.get("/authorize", "Accept-Language", "ja", "Accept", "text/html")
	require.Equal(t, 400, failed.StatusCode)
	require.Contains(t, failed.body, "このログインを続行できません")
	require.Contains(t, failed.body, `<div lang="en" dir="ltr">`)
}
