package builder

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// free are the licenses whose texts may be passed on with no more than their notice.
var free = []string{
	"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC-BY-4.0", "CC0-1.0", "ISC", "MIT", "MIT-0",
	"NCSA", "PostgreSQL", "Python-2.0", "TCL", "Unlicense", "WTFPL", "Zlib", "curl",
}

// matches is the percentage of a file that a license must cover.
const matches = 60

var licenseFile = regexp.MustCompile(`(?i)^(un)?licen[sc]e|^copy(ing|right)`)

// licenses are the licenses of the files in the root of a repository that name one, as "file: license, license". It is
// false if there is none, or if one is not free: then the repository is left out.
func licenses(dir string) (found string, ok bool) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", false
	}
	var files []string
	for _, e := range entries {
		if !e.Type().IsRegular() || !licenseFile.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return "", false
		}
		cover := licensecheck.Scan(text)
		if cover.Percent < matches {
			return e.Name() + ": not recognised", false
		}
		var names []string
		for _, m := range cover.Match {
			names = append(names, m.ID)
		}
		slices.Sort(names)
		names = slices.Compact(names)
		for _, name := range names {
			if !slices.Contains(free, name) {
				return e.Name() + ": " + name, false
			}
		}
		files = append(files, e.Name()+": "+strings.Join(names, ", "))
	}
	return strings.Join(files, "; "), len(files) > 0
}
