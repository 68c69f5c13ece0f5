package builder

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// checkout clones a repository below the cache, unless it is there, and checks its commit out. It returns the folder.
func (b *build) checkout(ctx context.Context, r Repository) (string, error) {
	dir := filepath.Join(b.Cache, strings.ReplaceAll(r.Name, "/", "__"))
	if _, err := os.Stat(filepath.Join(dir, ".git")); err != nil {
		// Files come when they are checked out.
		if _, err := git(ctx, "", "clone", "--quiet", "--filter=blob:none", "--no-checkout", "--", b.From+r.Name, dir); err != nil {
			return "", err
		}
	}
	_, err := git(ctx, dir, "checkout", "--quiet", "--force", "--detach", r.Commit)
	return dir, err
}

// git runs Git without the settings of this machine's user, so that the same manifest gives the same records everywhere. It
// asks nobody for a password, follows no symbolic link of a repository, and leaves large files where they are.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, "git", append([]string{"-c", "core.symlinks=false", "-c", "core.autocrlf=false"}, args...)...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0", "GIT_LFS_SKIP_SMUDGE=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C")
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(stderr.String()))
	}
	return string(out), nil
}
