package language

import (
	"fmt"

	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	"github.com/spf13/cobra"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/docs"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/contract"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/segmentcommand"
	"github.com/identity-gateway/caddy-identity-gateway/persona"
)

func init() {
	caddycmd.RegisterCommand(caddycmd.Command{
		Name: "segment", Usage: segmentcommand.Usage, Short: segmentcommand.Short, Long: segmentcommand.Long + "\n\n" + docs.Commands,
		CobraFunc: func(cmd *cobra.Command) { segmentcommand.Setup(cmd, "caddy segment") },
	})
	caddycmd.RegisterCommand(caddycmd.Command{
		Name:  "personify",
		Usage: "[--language NAME]... [--persona NAME]... [--limit SNIPPETS] [--catalogue FOLDER] [--json]",
		Short: "Chooses onboarding snippets for a person's languages and roles",
		Long: `
Prints snippets for the languages and roles that a person names, as the
personification endpoint chooses them: as a Markdown page, or as JSON. Names
are understood as people write them; what is not understood is said on the
standard error output.

` + docs.Commands,
		CobraFunc: setupPersonify,
	})
}

func setupPersonify(cmd *cobra.Command) {
	var (
		request  persona.Request
		settings Personification
		asJSON   bool
	)
	flags := cmd.Flags()
	flags.StringSliceVarP(&request.Languages, "language", "l", nil, "a language, such as Go; repeatable, or several with commas")
	flags.StringSliceVarP(&request.Personas, "persona", "p", nil, "a role, such as \"Data engineer\"; repeatable, or several with commas")
	flags.StringVar(&settings.Catalogue, "catalogue", "", "a folder with your own catalogue")
	flags.BoolVar(&asJSON, "json", false, "print OnboardedPersonaDetails as JSON")
	cmd.Example = "  caddy personify --language Go,Python --persona SRE"
	complete(cmd, "language", func(c *persona.Catalogue) (names []string) {
		for _, language := range c.Languages() {
			names = append(names, language.Name)
		}
		return names
	})
	complete(cmd, "persona", func(c *persona.Catalogue) (names []string) {
		for _, p := range c.Personas() {
			names = append(names, p.Name)
		}
		return names
	})
	_ = cmd.MarkFlagDirname("catalogue")
	cmd.Args, cmd.ValidArgsFunction = cobra.NoArgs, cobra.NoFileCompletions
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		cmd.SilenceUsage = true
		catalogue, err := settings.loadCatalogue()
		if err != nil {
			return err
		}
		selection, err := catalogue.Generate(request, persona.DefaultLimit)
		if err != nil {
			return err
		}
		for _, unknown := range selection.Unknown {
			fmt.Fprintf(cmd.ErrOrStderr(), "not understood: %q", unknown.Name)
			if len(unknown.Nearest) > 0 {
				fmt.Fprintf(cmd.ErrOrStderr(), " (did you mean %s?)", unknown.Nearest[0])
			}
			fmt.Fprintln(cmd.ErrOrStderr())
		}
		out := cmd.OutOrStdout()
		if asJSON {
			_, err = out.Write(append(new(contract.SelectionWriter).Append(nil, selection, false), '\n'))
		} else {
			_, err = out.Write(selection.AppendMarkdown(nil))
		}
		return err
	}
}

// complete lets a shell complete the values of a flag by the embedded catalogue.
func complete(cmd *cobra.Command, flag string, names func(*persona.Catalogue) []string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return names(persona.Default()), cobra.ShellCompDirectiveNoFileComp
	})
}
