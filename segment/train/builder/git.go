package builder

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// checkout clones a repository below the cache, unless it is there, and checks its commit out. It returns the folder.
func (b *build) checkout(ctx context.Context, r Repository) (string, error) {
	dir := filepath.Join(b.Cache, strings.ReplaceAll(r.Name, "/", "__"))
	if _, err := os.Stat(filepath.Join(dir, ".git")); err != nil {
		// Files come when they are checked out, the history's when it is read.
		if _, err := git(ctx, "", "clone", "--quiet", "--filter=blob:none", "--no-checkout", "--", b.From+r.Name, dir); err != nil {
			return "", err
		}
	}
	_, err := git(ctx, dir, "checkout", "--quiet", "--force", "--detach", r.Commit)
	return dir, err
}

// commit is a commit of a history.
type commit struct{ message, patch string }

// history returns the last commits before a commit that are no merges, newest first.
func history(ctx context.Context, dir, hash string, most int) ([]commit, error) {
	out, err := git(ctx, dir, "log", "--no-merges", "--no-color", "--no-ext-diff", "--no-textconv", "--patch",
		"--max-count="+strconv.Itoa(most), "--format=%x00%B%x00", hash)
	if err != nil {
		return nil, err
	}
	var all []commit
	cells := strings.Split(string(out), "\x00")
	for i := 1; i+1 < len(cells); i += 2 {
		all = append(all, commit{strings.TrimSpace(cells[i]), strings.Trim(cells[i+1], "\n")})
	}
	return all, nil
}

// git runs Git without the settings of this machine's user, so that the same manifest gives the same records everywhere. It
// asks nobody for a password, follows no symbolic link of a repository, and leaves large files where they are.
func git(ctx context.Context, dir string, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, "git", append([]string{"-c", "core.symlinks=false", "-c", "core.autocrlf=false"}, args...)...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0", "GIT_LFS_SKIP_SMUDGE=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C")
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(stderr.String()))
	}
	return out, nil
}
