package segmentcommand

import (
	"errors"
	"os"
	"path/filepath"
)

// replaceFile gives a file new content, all at once or not at all, and keeps its mode. A link stays a link.
func replaceFile(file string, content []byte) (err error) {
	if file, err = filepath.EvalSymlinks(file); err != nil {
		return err
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	written, err := os.CreateTemp(filepath.Dir(file), ".segment.*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(written.Name())
		}
	}()
	_, err = written.Write(content)
	if err = errors.Join(err, written.Chmod(info.Mode().Perm()), written.Close()); err != nil {
		return err
	}
	return os.Rename(written.Name(), file)
}
