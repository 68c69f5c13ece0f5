// snippet:check
//go:build ignore

// snippet:usage
package main

// snippet:end
// snippet:doc https://pkg.go.dev/io/fs#WalkDir fs.WalkDir
import (
	// snippet:usage
	"fmt"
	// snippet:end
	"io/fs"
	"strings"
	// snippet:usage
	"testing/fstest"
	// snippet:end
)

// Sizes adds up the bytes of each file and folder at the top of fsys. Folders that may
// not be read are counted as skipped, and the walk goes on.
func Sizes(fsys fs.FS) (bytes map[string]int64, skipped int) {
	bytes = map[string]int64{}
	fs.WalkDir(fsys, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			skipped++
			return fs.SkipDir
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			top, _, _ := strings.Cut(path, "/")
			bytes[top] += info.Size()
		}
		return nil
	})
	return bytes, skipped
}

// snippet:usage
// snippet:prints map[logs:15 readme:2] 0
func main() {
	fmt.Println(Sizes(fstest.MapFS{
		"logs/a.txt": {Data: make([]byte, 10)}, "logs/old/b.txt": {Data: make([]byte, 5)}, "readme": {Data: []byte("hi")},
	}))
}
