package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// goInModule runs the go command in the nested module of a folder beside clients.
func goInModule(ctx context.Context, e *environment, folder string, arguments ...string) (string, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return "", fmt.Errorf("%w: %s is built with Go, which is not installed", ErrUnavailable, folder)
	}
	command := exec.CommandContext(ctx, "go", arguments...)
	command.Dir = filepath.Join(e.clients, "..", folder)
	output, err := command.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go %s: %w: %s", arguments[0], err, tail(string(output), 400))
	}
	return strings.TrimSpace(string(output)), nil
}

// buildModule builds the command of a nested module and returns its path.
func buildModule(ctx context.Context, e *environment, folder string) (string, error) {
	binary := filepath.Join(e.dir, folder)
	_, err := goInModule(ctx, e, folder, "build", "-o", binary, ".")
	return binary, err
}
