package builder

import (
	"errors"
	"fmt"
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

// licenses are the licenses of the files in the root of a repository that name one, as "file: license, license". It is an
// error if there is none, or if one is not free: then the repository is left out.
func licenses(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", fmt.Errorf("builder: %w", err)
	}
	var files []string
	for _, e := range entries {
		if !e.Type().IsRegular() || !licenseFile.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return "", fmt.Errorf("builder: %w", err)
		}
		cover := licensecheck.Scan(text)
		var names []string
		for _, m := range cover.Match {
			names = append(names, m.ID)
		}
		slices.Sort(names)
		names = slices.Compact(names)
		bound := slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(free, name) })
		if cover.Percent < matches || bound {
			return "", fmt.Errorf("no license in its root that allows it (%s: %v)", e.Name(), names)
		}
		files = append(files, e.Name()+": "+strings.Join(names, ", "))
	}
	if len(files) == 0 {
		return "", errors.New("no license in its root")
	}
	return strings.Join(files, "; "), nil
}
