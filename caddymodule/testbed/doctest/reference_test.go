package doctest

import (
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/stretchr/testify/require"
)

// The reference of a module is the README.md of its folder, or of the next one
// above that has one. It names each field of the module's JSON.
func TestTheReferenceNamesEveryOption(t *testing.T) {
	checked := 0
	for _, id := range caddy.Modules() {
		module, err := caddy.GetModule(id)
		require.NoError(t, err)
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
			content, err := os.ReadFile(filepath.Join(root, file))
			require.NoError(t, err)
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
}

func ours(t reflect.Type) bool { return strings.HasPrefix(t.PkgPath(), modulePath+"caddymodule/") }

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
