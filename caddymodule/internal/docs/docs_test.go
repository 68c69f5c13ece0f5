package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/docs"
)

// The site is made of the Markdown files: a folder's page is its README.
func TestEveryAddressIsThatOfAPage(t *testing.T) {
	source, err := os.ReadFile("docs.go")
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(docs.Site, "/"))
	pages := regexp.MustCompile(`Site \+ "([^"#]*)#?([^"]*)"`).FindAllStringSubmatch(string(source), -1)
	require.NotEmpty(t, pages)
	for _, match := range pages {
		page, fragment := match[1], match[2]
		if strings.HasSuffix(page, "/") {
			page += "README"
		}
		content, err := os.ReadFile(filepath.Join("..", "..", "..", filepath.FromSlash(page)+".md"))
		require.NoError(t, err)
		var anchors []string
		for _, heading := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(string(content), -1) {
			anchors = append(anchors, strings.ReplaceAll(strings.ToLower(heading[1]), " ", "-"))
		}
		if fragment != "" {
			require.Contains(t, anchors, fragment, page)
		}
	}
}
