package playground

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
)

// page is the page's template, style sheet, scripts and icon, as they are served.
//
//go:embed page
var pageFiles embed.FS

// template is the only file of the folder that is not served as it stands.
const templateFile = "index.html"

// contentTypes are the media types of the files by extension. A table of the
// system's could call a script something else.
var contentTypes = map[string]string{
	".css": "text/css; charset=utf-8",
	".js":  "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
}

// file is what a file of the page is served as.
type file struct {
	content     []byte
	contentType string
	etag        string
}

// embeddedFiles are the files of the page by the path at which they are served.
func embeddedFiles(below string) (map[string]file, error) {
	files := make(map[string]file)
	entries, err := fs.ReadDir(pageFiles, "page")
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		if entry.Name() == templateFile {
			continue
		}
		contentType, known := contentTypes[path.Ext(entry.Name())]
		if !known {
			return nil, fmt.Errorf("the embedded file %s has no media type", entry.Name())
		}
		content, err := pageFiles.ReadFile("page/" + entry.Name())
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(content)
		files[path.Join(below, entry.Name())] = file{content, contentType, `"` + hex.EncodeToString(sum[:8]) + `"`}
	}
	return files, nil
}
