package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// nodeClient runs a script of the clients folder. It gets the session as JSON
// on its standard input and prints one Result as JSON a line.
func nodeClient(script string, needsChromium bool) func(context.Context, *environment, session) ([]Result, error) {
	return func(ctx context.Context, e *environment, s session) ([]Result, error) {
		path, err := node(e)
		if err != nil {
			return nil, err
		}
		if needsChromium && s.Chromium == "" {
			return nil, fmt.Errorf("%w: Chromium is not installed; on Debian: apt-get install chromium, or set CHROMIUM", ErrUnavailable)
		}
		input, err := json.Marshal(s)
		if err != nil {
			return nil, err
		}
		var output, problems bytes.Buffer
		process := exec.CommandContext(ctx, path, script)
		process.Dir = e.clients
		process.Env = append(os.Environ(), "NODE_EXTRA_CA_CERTS="+e.authority.certFile, "NODE_NO_WARNINGS=1")
		process.Stdin, process.Stdout, process.Stderr = bytes.NewReader(input), &output, &problems
		endWithChildren(process) // the browser that the script started
		process.WaitDelay = 5 * time.Second
		runErr := process.Run()

		var results []Result
		for lines := bufio.NewScanner(&output); lines.Scan(); {
			var result Result
			if json.Unmarshal(lines.Bytes(), &result) == nil && result.Step != "" {
				results = append(results, result)
			}
		}
		if runErr != nil && (len(results) == 0 || results[len(results)-1].OK) {
			return results, fmt.Errorf("%s: %w: %s", script, runErr, tail(strings.TrimSpace(problems.String()), 600))
		}
		return results, nil
	}
}
