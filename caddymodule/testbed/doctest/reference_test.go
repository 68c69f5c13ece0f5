package doctest

import (
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/must"
)

// The reference of a module is the README.md of its folder, or of the next one
// above that has one. It names each field of the module's JSON.
func TestTheReferenceNamesEveryOption(t *testing.T) {
	checked := 0
	known := make(map[string][]string) // by reference
	for _, id := range caddy.Modules() {
		module := must.Have(caddy.GetModule(id))(t)
		structure := reflect.TypeOf(module.New())
		if structure.Kind() == reflect.Pointer {
			structure = structure.Elem()
		}
		if structure.Kind() != reflect.Struct || !ours(structure) {
			continue
		}
		fields := jsonFields(structure)
		if len(fields) == 0 && module.ID.Namespace() != "http.handlers" {
			continue // nobody configures it
		}
		checked++
		t.Run(id, func(t *testing.T) {
			file := reference(t, structure)
			known[file] = append(known[file], append(fields, "module")...)
			content := must.Have(os.ReadFile(filepath.Join(root, file)))(t)
			require.True(t, strings.Contains(string(content), module.ID.Name()), "%s does not name the module", file)
			var missing []string
			for _, field := range fields {
				if !regexp.MustCompile("[`\".]" + regexp.QuoteMeta(field) + "[`\".]").Match(content) {
					missing = append(missing, field)
				}
			}
			require.Empty(t, missing, "%s does not name these fields", file)
		})
	}
	require.Greater(t, checked, 5)
	for file, names := range known {
		content := must.Have(os.ReadFile(filepath.Join(root, file)))(t)
		for _, cell := range jsonColumn(string(content)) {
			for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cell, -1) {
				for _, part := range strings.Split(name[1], ".") {
					require.Contains(t, names, part, "%s has an option that does not exist", file)
				}
			}
		}
	}
}

// jsonColumn are the cells of the column JSON of the document's tables.
func jsonColumn(document string) (cells []string) {
	column := -1
	for line := range strings.Lines(document) {
		row := strings.Split(line, "|")
		switch {
		case len(row) < 4:
			column = -1
		case slices.Contains(row, " JSON "):
			column = slices.Index(row, " JSON ")
		case column >= 0 && column < len(row):
			cells = append(cells, row[column])
		}
	}
	return cells
}

func ours(t reflect.Type) bool { return strings.HasPrefix(t.PkgPath(), modulePath) }

// reference is the file that documents a type's package.
func reference(t *testing.T, structure reflect.Type) string {
	t.Helper()
	folder := strings.TrimPrefix(structure.PkgPath(), modulePath)
	for folder != "." {
		file := path.Join(folder, "README.md")
		if _, err := os.Stat(filepath.Join(root, file)); err == nil {
			return file
		}
		folder = path.Dir(folder)
	}
	t.Fatal("no README.md beside " + structure.PkgPath())
	return ""
}

// jsonFields are the names in the type's JSON, those of its own structures included.
func jsonFields(structure reflect.Type) []string {
	var names []string
	for i := range structure.NumField() {
		field := structure.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "" && name != "-" {
			names = append(names, name)
		}
		inner := field.Type
		for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice {
			inner = inner.Elem()
		}
		if inner.Kind() == reflect.Struct && ours(inner) && (name != "" || field.Anonymous) && !isModule(inner) {
			names = append(names, jsonFields(inner)...)
		}
	}
	return names
}

// isModule tells modules, which have a reference of their own.
func isModule(structure reflect.Type) bool {
	return reflect.PointerTo(structure).Implements(reflect.TypeFor[caddy.Module]())
}
