package caddymodule_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const modulePath = "github.com/identity-gateway/caddy-identity-gateway"

func dependencies(t *testing.T, packages ...string) []string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"list", "-deps"}, packages...)...).Output()
	require.NoError(t, err)
	return strings.Fields(string(out))
}

func TestTheLibrariesKnowNothingOfCaddy(t *testing.T) {
	for _, dependency := range dependencies(t, modulePath+"/idp/...", modulePath+"/segment/...", modulePath+"/persona/...") {
		require.NotContains(t, dependency, "caddyserver", "the libraries must be usable without Caddy")
		require.NotContains(t, dependency, modulePath+"/caddymodule", "the adapter depends on the libraries, not they on it")
	}
}

// What stands below the gateway can be used without it, and read without knowing it.
func TestNothingBelowTheGatewayImportsIt(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, modulePath+"/idp/...").Output()
	require.NoError(t, err)
	for line := range strings.Lines(string(out)) {
		of, imports, _ := strings.Cut(strings.TrimSpace(line), " ")
		require.NotContains(t, strings.Fields(imports), modulePath+"/idp", of)
	}
}

// The storeys of the gateway: each stands on those before it, and none knows those after it.
func TestImportsOfTheGatewayRunDownwards(t *testing.T) {
	storeys := []string{"must", "header", "syntax", "vendors", "cookie", "endpoint", "jsonobject", "jwt", "params", "authorization", "login", "clients", "grants", "upstream"}
	out, err := exec.Command("go", "list", modulePath+"/idp/internal/...").Output()
	require.NoError(t, err)
	require.Len(t, strings.Fields(string(out)), len(storeys), "a package that has no place among them")
	for i, storey := range storeys {
		for _, dependency := range dependencies(t, modulePath+"/idp/internal/"+storey) {
			for _, above := range storeys[i+1:] {
				require.NotEqual(t, modulePath+"/idp/internal/"+above, dependency, storey)
			}
		}
	}
}

// A package whose files do not say by their names what is decided in them says it of each, in its
// comment.
func TestMapsNameEachFile(t *testing.T) {
	line := regexp.MustCompile(`(?m)^//\t(\w+\.go): \S`)
	maps := 0
	for _, pattern := range []string{"../idp/*.go", "../idp/*/*.go", "../idp/internal/*/*.go", "../persona/*.go", "../segment/*.go", "*/*.go", "*/*/*.go"} {
		sources, err := filepath.Glob(pattern)
		require.NoError(t, err)
		files, named := map[string][]string{}, map[string][]string{}
		for _, source := range sources {
			folder, name := filepath.Split(source)
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			content, err := os.ReadFile(source)
			require.NoError(t, err)
			comment, _, _ := strings.Cut(string(content), "\npackage ")
			for _, found := range line.FindAllStringSubmatch(comment, -1) {
				named[folder] = append(named[folder], found[1])
			}
			if name != "doc.go" {
				files[folder] = append(files[folder], name)
			}
		}
		for folder := range named {
			require.ElementsMatch(t, files[folder], named[folder], folder)
		}
		maps += len(named)
	}
	require.Equal(t, 27, maps)
}

func TestThePluginLeavesTheDevelopmentIdPOut(t *testing.T) {
	for _, dependency := range dependencies(t, modulePath+"/caddymodule") {
		require.NotContains(t, dependency, "/devidp", "nobody's production binary carries an identity provider")
		require.NotContains(t, dependency, "/testidp", "nobody's production binary carries an identity provider")
	}
}

// One import is enough for a build with xcaddy, and each handler, shorthand and log format is in a package of its own.
func TestThePluginIsItsHandlers(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{join .Imports \" \"}}", modulePath+"/caddymodule").Output()
	require.NoError(t, err)
	require.Equal(t, []string{modulePath + "/caddymodule/identity", modulePath + "/caddymodule/language", modulePath + "/caddymodule/oauthredact", modulePath + "/caddymodule/openapi", modulePath + "/caddymodule/playground", modulePath + "/caddymodule/protectmcp", modulePath + "/caddymodule/requiretoken"}, strings.Fields(string(out)))
}

// Users build with versions of Caddy that nobody here has tried. What Caddy does not
// export may have another name there.
func TestThePluginReadsNothingThatIsNotExported(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", `{{.ImportPath}} {{join .Imports " "}}`, modulePath+"/caddymodule", modulePath+"/caddymodule/devidp").Output()
	require.NoError(t, err)
	for line := range strings.Lines(string(out)) {
		of, imports, _ := strings.Cut(strings.TrimSpace(line), " ")
		if !strings.HasPrefix(of, modulePath+"/caddymodule") {
			continue
		}
		require.NotContains(t, strings.Fields(imports), "unsafe", of)
		if of != modulePath+"/caddymodule/internal/issuers" { // which compares two documents of its own
			require.NotContains(t, strings.Fields(imports), "reflect", of)
		}
	}
}
