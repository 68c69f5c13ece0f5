package language

import (
	"net/http"

	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
)

func init() {
	httpcaddyfile.RegisterDirective("personification", parsePersonification)
	httpcaddyfile.RegisterDirectiveOrder("personification", httpcaddyfile.After, "push") // and so after require_token
	httpcaddyfile.RegisterDirective("text_segmentation", parseTextSegmentation)
	httpcaddyfile.RegisterDirectiveOrder("text_segmentation", httpcaddyfile.After, "push")
}

func parseTextSegmentation(h httpcaddyfile.Helper) ([]httpcaddyfile.ConfigValue, error) {
	return args.ParseHandler(h, new(TextSegmentation), http.MethodPost, func() string { return segmentationPath })
}

// UnmarshalCaddyfile sets up the handler from Caddyfile tokens: text_segmentation [<matcher>] { … }, with the options of
// README.md.
func (ts *TextSegmentation) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the directive's name
	if err := args.None(d); err != nil {
		return err
	}
	return args.Block(d, "text_segmentation", ts.Options.with(args.Options{}))
}

func parsePersonification(h httpcaddyfile.Helper) ([]httpcaddyfile.ConfigValue, error) {
	return args.ParseHandler(h, new(Personification), http.MethodPost, func() string { return personificationPath })
}

// UnmarshalCaddyfile sets up the handler from Caddyfile tokens: personification [<matcher>] { … }, with the options of README.md.
// The catalogue's files are a part of the configuration: caddy reload sees that they have changed, if it is run where the folder
// is.
func (p *Personification) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the directive's name
	if err := args.None(d); err != nil {
		return err
	}
	err := args.Block(d, "personification", p.Options.with(args.Options{
		"catalogue": args.String(&p.Catalogue),
	}))
	p.CatalogueDigest = digestOf(p.Catalogue)
	return err
}
