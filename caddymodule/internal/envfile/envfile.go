// Package envfile gives commands their configuration, and the flag --envfile, which loads
// variables as that of `caddy run` does: Caddy keeps its own reader to itself.
package envfile

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/caddyserver/caddy/v2"
	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	"github.com/caddyserver/certmagic"
	"github.com/spf13/cobra"
)

const name = "envfile"

// AddFlags adds the flag to a command, and --adapter, that of the configuration.
func AddFlags(cmd *cobra.Command) {
	cmd.Flags().StringP("adapter", "a", "", "the name of the configuration's adapter")
	_ = cmd.RegisterFlagCompletionFunc("adapter", cobra.NoFileCompletions)
	cmd.Flags().StringSlice(name, nil, "files with the variables that the configuration needs, as for caddy run")
}

// Config is the configuration of --config, or else of the Caddyfile in this folder, as JSON: nil
// if there is neither. It loads the variables first.
func Config(cmd *cobra.Command) ([]byte, error) {
	if err := Load(cmd); err != nil {
		return nil, err
	}
	file, _ := cmd.Flags().GetString("config")
	adapter, _ := cmd.Flags().GetString("adapter")
	if file == "" {
		if _, err := os.Stat("Caddyfile"); err != nil {
			return nil, nil
		}
		file = "Caddyfile"
	}
	config, _, _, err := caddycmd.LoadConfig(file, adapter)
	return config, err
}

// Load sets the variables of the files that the flag names, but for those that are set. From
// then on Caddy logs warnings and errors only.
func Load(cmd *cobra.Command) error {
	logWarnings()
	files, err := cmd.Flags().GetStringSlice(name)
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := load(file); err != nil {
			return fmt.Errorf("--%s: %w", name, err)
		}
	}
	if len(files) > 0 { // which may say where these are
		caddy.ConfigAutosavePath = filepath.Join(caddy.AppConfigDir(), "autosave.json")
		caddy.DefaultStorage = &certmagic.FileStorage{Path: caddy.AppDataDir()}
	}
	return nil
}

func load(file string) error {
	content, err := os.Open(file)
	if err != nil {
		return err
	}
	defer content.Close()
	variables, err := parse(content)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	for key, value := range variables {
		if _, set := os.LookupEnv(key); set {
			continue
		}
		if err := os.Setenv(key, value); err != nil {
			return err
		}
	}
	return nil
}

// parse reads lines such as KEY=value or export KEY="value", whose quoted values may go on to
// the next line. What follows # is a comment. Errors quote no value.
func parse(r io.Reader) (map[string]string, error) {
	variables := make(map[string]string)
	lines := bufio.NewScanner(r)
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if key = strings.TrimPrefix(key, "export "); !ok || key == "" || strings.Contains(key, " ") || strings.HasPrefix(value, " ") || strings.HasPrefix(value, "\t") {
			return nil, fmt.Errorf("line %d is not KEY=value", number)
		}
		if before, _, found := strings.Cut(value, "#"); found {
			value = strings.TrimRight(before, " \t")
		}
		if strings.HasPrefix(value, `"`) || strings.HasPrefix(value, "'") {
			quote := value[:1]
			for !strings.HasSuffix(line, quote) || strings.HasSuffix(line, `\`+quote) {
				value = strings.ReplaceAll(value, `\`+quote, quote)
				if !lines.Scan() {
					break
				}
				number++
				line = strings.ReplaceAll(lines.Text(), `\`+quote, quote)
				value += "\n" + line
			}
			value = strings.TrimSuffix(strings.TrimPrefix(value, quote), quote)
		}
		variables[key] = value
	}
	return variables, lines.Err()
}
