package persona

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

// Digest is the SHA-256 of a catalogue's files, in hexadecimal: it changes if a
// file is added, removed, renamed or changed. Notes and hidden files, which [Load]
// skips, do not count.
func Digest(files fs.FS) (string, error) {
	h := sha256.New()
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		base := path.Base(name)
		switch {
		case err != nil:
			return err
		case name != "." && strings.HasPrefix(base, "."):
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.IsDir(), isNote(base):
			return nil
		}
		f, err := files.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		content, err := io.ReadAll(io.LimitReader(f, maxFileBytes+1)) // more than Load reads makes no difference
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "%d %s %d\n", len(name), name, len(content))
		h.Write(content)
		return nil
	})
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
