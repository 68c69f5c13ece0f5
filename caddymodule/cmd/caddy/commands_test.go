package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "caddy" {
		main()
		return
	}
	os.Exit(m.Run())
}

// runCaddy runs the production Caddy with a command line, and returns what it prints.
func runCaddy(t *testing.T, arguments ...string) (output string, code int) {
	t.Helper()
	executable, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(executable, arguments...)
	cmd.Args[0] = "caddy"
	cmd.Env = []string{"HOME=" + t.TempDir()}
	printed, _ := cmd.CombinedOutput()
	return string(printed), cmd.ProcessState.ExitCode()
}

// ours are the commands of the plugin and what is below them.
func ours() (all []*cobra.Command) {
	for _, name := range []string{"identity-gateway", "protect-mcp", "segment", "personify"} {
		registered := caddycmd.Commands()[name]
		cmd := &cobra.Command{Use: name + " " + registered.Usage, Long: registered.Long}
		registered.CobraFunc(cmd)
		all = append(append(all, cmd), cmd.Commands()...)
	}
	return all
}

func TestMistakesOnTheCommandLine(t *testing.T) {
	for line, says := range map[string]string{
		"identity-gateway chek":      `Error: caddy identity-gateway has no command "chek"; did you mean check?`,
		"identity-gateway something": `Error: caddy identity-gateway has no command "something"`,
		"identity-gateway check a b": "Error: accepts at most 1 arg(s), received 2",
		"identity-gateway ready now": `Error: unknown command "now" for "caddy identity-gateway ready"`,
		"protect-mcp --client-id a":  "Error: --idp is required; an example: caddy protect-mcp ",
		"protect-mcp --ipd a":        "Error: unknown flag: --ipd",
		"protect-mcp --idp https://a.example --client-id a --from b.example/a --from b.example/b --to c": "Error: there are 2 --from and 1 --to: give each address the server behind it",
		"segment --check x.md":         "Error: --check goes with --label-fences",
		"identity-gateway check ftp:x": "Error: ftp:x: ",
		"protect-mcp --idp https://a.example --client-id a --from b.example/mcp --to c": "Error: the environment variable CLIENT_SECRET is not set",
	} {
		output, code := runCaddy(t, strings.Fields(line)...)
		require.Equal(t, 1, code, line)
		require.True(t, strings.HasPrefix(output, says), "%s: %s", line, output)
		require.Equal(t, 1, strings.Count(output, "\n"), "one line of text: %s", output)
	}
	output, code := runCaddy(t, "identity-gateway")
	require.Zero(t, code)
	require.Contains(t, output, "Available Commands:")
}

// A shell offers files where one is expected, and nowhere else.
func TestCompletion(t *testing.T) {
	files := []string{"config", "envfile", "catalogue"}
	for _, cmd := range ours() {
		cmd.Flags().VisitAll(func(flag *pflag.Flag) {
			if _, completed := cmd.GetFlagCompletionFunc(flag.Name); flag.Value.Type() != "bool" && !slices.Contains(files, flag.Name) {
				require.True(t, completed, "%s --%s", cmd.Name(), flag.Name)
			}
		})
		require.True(t, cmd.ValidArgsFunction != nil || len(cmd.ValidArgs) > 0 || cmd.HasSubCommands() || cmd.Name() == "segment", cmd.Name())
	}
	output, code := runCaddy(t, "__complete", "protect-mcp", "--allow", "")
	require.Zero(t, code)
	require.Equal(t, strings.Join(uris.Published(), "\n")+"\n:4\nCompletion ended with directive: ShellCompDirectiveNoFileComp\n", output)
}

// A manual page drops what could be HTML, such as a placeholder in angle brackets.
func TestTheManualSaysWhatTheHelpSays(t *testing.T) {
	folder := t.TempDir()
	_, code := runCaddy(t, "manpage", "--directory", folder)
	require.Zero(t, code)
	for _, cmd := range ours() {
		name := "caddy-" + strings.ReplaceAll(cmd.CommandPath(), " ", "-")
		page, err := os.ReadFile(filepath.Join(folder, name+".8"))
		require.NoError(t, err)
		text := strings.NewReplacer(`\-`, "-", `\fB`, "", `\fP`, "", `\`, "").Replace(string(page))
		require.Contains(t, text, cmd.Use)
		for _, word := range strings.Fields(cmd.Long) {
			require.Contains(t, text, strings.Trim(word, "`"), name)
		}
	}
}

// What Caddy logs when it starts is not what a command is asked for: warnings are, as text. The
// log of a configuration is set up, and gets nothing.
func TestCommandsLogWarningsOnly(t *testing.T) {
	folder := t.TempDir()
	config := filepath.Join(folder, "Caddyfile")
	require.NoError(t, os.WriteFile(config, []byte(`{
	storage file_system `+folder+`
	log {
		output file `+folder+`/caddy.log
		format json
	}
}
http://gateway.example {
	text_segmentation /nowhere
	identity_gateway http://127.0.0.1:1 {
		callback /oauth/callback
		client app {
			redirect_uri https://app.example/callback
		}
	}
}
`), 0o600))
	for _, line := range []string{"identity-gateway check", "identity-gateway rotate-key", "identity-gateway ready"} {
		output, code := runCaddy(t, append(strings.Fields(line), "--config", config)...)
		require.Equal(t, 1, code, output)
		require.NotContains(t, output, `"level"`, line)
		require.NotContains(t, output, "INFO", line)
		require.Contains(t, output, "Error: ", line)
		if line != "identity-gateway ready" { // which reads the global options alone
			require.Contains(t, output, "WARN\thttp.handlers.text_segmentation\tthe matcher lets no request", line)
		}
	}
	logged, err := os.ReadFile(filepath.Join(folder, "caddy.log"))
	require.NoError(t, err)
	require.Empty(t, logged)
}
