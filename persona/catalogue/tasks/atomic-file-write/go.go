// snippet:check
//go:build ignore

package main

// snippet:end

// snippet:doc https://pkg.go.dev/os#CreateTemp os.CreateTemp
// snippet:prints <nil> <nil>
// snippet:prints {"a":1} 1
// snippet:prints true

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// snippet:check
import "fmt"

// snippet:end
// WriteFile replaces name with data: readers see the old file or the new one.
func WriteFile(name string, data []byte, perm fs.FileMode) (err error) {
	tmp, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(tmp.Name())
		}
	}()
	_, err = tmp.Write(data)
	err = errors.Join(err, tmp.Chmod(perm), tmp.Sync(), tmp.Close())
	if err != nil {
		return err
	}
	return os.Rename(tmp.Name(), name)
}

// snippet:check
func main() {
	dir, _ := os.MkdirTemp("", "snippet")
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "settings.json")
	fmt.Println(WriteFile(name, []byte("{}"), 0o600), WriteFile(name, []byte(`{"a":1}`), 0o600))
	data, _ := os.ReadFile(name)
	left, _ := os.ReadDir(dir)
	fmt.Println(string(data), len(left))
	fmt.Println(WriteFile(filepath.Join(dir, "no", "such"), nil, 0o600) != nil)
}
