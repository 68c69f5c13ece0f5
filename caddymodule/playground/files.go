package playground

import (
	"embed"
	"io/fs"
	"path"
)

// pageFiles are the page's template, style sheet, scripts and icon, as they are served.
//
//go:embed page
var pageFiles embed.FS

// templateFile is the only one of the folder that is not served as it stands.
const templateFile = "index.html"

// contentTypes are the media types of the files by extension. A table of the
// system's could call a script something else.
var contentTypes = map[string]string{
	".css": "text/css; charset=utf-8",
	".js":  "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
}

// embeddedFiles are the names of the page's files by the path at which they are served.
func embeddedFiles(below string) (map[string]string, error) {
	files := make(map[string]string)
	entries, err := fs.ReadDir(pageFiles, "page")
	for _, entry := range entries {
		if entry.Name() != templateFile {
			files[path.Join(below, entry.Name())] = "page/" + entry.Name()
		}
	}
	return files, err
}
