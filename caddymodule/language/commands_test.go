package language_test

import (
	"bytes"
	"strings"
	"testing"

	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language"
)

// command runs a subcommand of Caddy.
func command(t *testing.T, name, in string, args ...string) (out, errors string, err error) {
	t.Helper()
	registered, ok := caddycmd.Commands()[name]
	require.True(t, ok)
	cmd := &cobra.Command{Use: name + " " + registered.Usage, Short: registered.Short, Long: registered.Long}
	registered.CobraFunc(cmd)
	var stdout, stderr bytes.Buffer
	cmd.SetIn(strings.NewReader(in))
	cmd.SetOut(&stdout)
	cmd.SetErr(&stderr)
	cmd.SetArgs(args)
	err = cmd.ExecuteContext(t.Context())
	return stdout.String(), stderr.String(), err
}

func TestTheCommandSegmentSaysWhatTheEndpointSays(t *testing.T) {
	handler := provision(t, new(language.TextSegmentation))
	const message = "Look:\n\n~~~python\nx = 1\n~~~\n"
	want := send(t, handler, segmentationPath+"?classify=true", "text/plain", message).Body.String()
	out, _, err := command(t, "segment", message, "--classify", "--json")
	require.NoError(t, err)
	require.Equal(t, want+"\n", out)
}

func TestTheCommandPersonifySaysWhatTheEndpointSays(t *testing.T) {
	handler := provision(t, new(language.Personification))
	want := call(t, handler, "POST", personificationPath, `{"languages":["Go","何か"],"personas":["SRE"]}`, "")
	out, errors, err := command(t, "personify", "", "-l", "Go,何か", "--persona", "SRE", "--json")
	require.NoError(t, err)
	require.Equal(t, want.Body.String()+"\n", out)
	require.Equal(t, "not understood: \"何か\"\n", errors)

	want = call(t, handler, "POST", personificationPath, `{"languages":["Go"]}`, "text/plain")
	out, _, err = command(t, "personify", "", "--language", "Go")
	require.NoError(t, err)
	require.Equal(t, want.Body.String(), out)
}

func TestMistakesInTheArgumentsOfPersonify(t *testing.T) {
	for want, args := range map[string][]string{
		`unknown command "Go"`:          {"Go"},
		"catalogue no/such/folder: ":    {"--catalogue", "no/such/folder"},
		"at most 256 are accepted":      {"-p", strings.Repeat("x", 257)},
		"unknown flag: --langauge":      {"--langauge", "Go"},
		"unknown shorthand flag: 'x' i": {"-x"},
	} {
		_, _, err := command(t, "personify", "", args...)
		require.ErrorContains(t, err, want)
	}
}

func TestNamesAreCompleted(t *testing.T) {
	registered := caddycmd.Commands()["personify"]
	cmd := &cobra.Command{Use: "personify"}
	registered.CobraFunc(cmd)
	for flag, want := range map[string]string{"language": "Go", "persona": "Site reliability engineer"} {
		complete, ok := cmd.GetFlagCompletionFunc(flag)
		require.True(t, ok)
		names, _ := complete(cmd, nil, "")
		require.Contains(t, names, want)
	}
}
