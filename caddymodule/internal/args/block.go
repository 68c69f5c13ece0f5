package args

import (
	"maps"
	"slices"
	"strings"

	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
)

// Options are the subdirectives of a directive, by name.
type Options map[string]Option

// Block reads the block after what d stands on, if there is one. An unknown
// subdirective, or one that is given twice but not [Repeatable], is an error.
// Errors use parent as the name of the directive that the block belongs to.
func Block(d *caddyfile.Dispenser, parent string, options Options) error {
	given := make(map[string]bool)
	for nesting := d.Nesting(); d.NextBlock(nesting); {
		name := d.Val()
		option, known := options[name]
		instead := moved[parent+" "+name]
		switch {
		case !known && instead != "":
			return d.Errf("%s of %s has another place; write %s", name, parent, instead)
		case !known:
			names := slices.Sorted(maps.Keys(options))
			return d.Errf("unrecognized subdirective %s%s; %s has %s",
				name, Suggest(name, names), parent, strings.Join(names, ", "))
		case given[name] && !option.repeatable:
			return d.Errf("%s is given twice in %s", name, parent)
		}
		given[name] = true
		if err := option.read(d); err != nil {
			return err
		}
	}
	return nil
}

// Alone is [Block] for what takes no more arguments.
func Alone(d *caddyfile.Dispenser, parent string, options Options) error {
	if err := None(d); err != nil {
		return err
	}
	return Block(d, parent, options)
}

// Suggest asks whether the word nearest to name was meant. It is empty if none
// is near.
func Suggest[S ~string](name string, words []S) string {
	nearest, least := S(""), 1+max(1, len(name)/3)
	for _, word := range words {
		if max(len(name)-len(word), len(word)-len(name)) >= least {
			continue // also of words of megabytes
		}
		if distance := editDistance(name, string(word)); distance < least {
			nearest, least = word, distance
		}
	}
	if nearest == "" {
		return ""
	}
	return " (did you mean " + string(nearest) + "?)"
}

// editDistance counts the bytes to insert, delete, replace or swap with their
// neighbor to get from a to b (optimal string alignment).
func editDistance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			replace := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, replace)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
