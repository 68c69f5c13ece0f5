package language

import (
	"net/http"
	"os"

	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/matcher"
	"github.com/identity-gateway/caddy-identity-gateway/persona"
)

func init() {
	httpcaddyfile.RegisterDirective("personification", parsePersonification)
	httpcaddyfile.RegisterDirectiveOrder("personification", httpcaddyfile.After, "push") // and so after require_token
}

func parsePersonification(h httpcaddyfile.Helper) ([]httpcaddyfile.ConfigValue, error) {
	handler := new(Personification)
	return matcher.ParseHandler(h, handler, http.MethodPost, func() []string { return append([]string{personificationPath}, handler.Paths...) })
}

// UnmarshalCaddyfile sets up the handler from Caddyfile tokens. Syntax:
//
//	personification [<matcher>] {
//	    limit          <snippets>
//	    catalogue      <folder>
//	    path           <paths...>
//	    max_body       <size>
//	    max_concurrent <requests>
//	    max_buffered   <size>
//	    max_wait       <duration>
//	    origin         <origins...>
//	    require_token  <issuer> [<audiences...>] {
//	        # the options of require_token
//	    }
//	    application {
//	        id        <id>
//	        name      <name>
//	        version   <version>
//	        platform  <platform>
//	        onboarded <true|false>
//	        privacy   OPEN|CLOSED|ANONYMOUS
//	    }
//	}
//
// The block and everything in it is optional. path and origin may be repeated.
// The catalogue's files are a part of the configuration: caddy reload sees that
// they have changed, if it is run where the folder is.
func (p *Personification) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the directive's name
	if err := args.None(d); err != nil {
		return err
	}
	err := args.Block(d, "personification", p.Options.with(args.Options{
		"limit":       args.Count(&p.Limit, "snippets"),
		"catalogue":   args.String(&p.Catalogue),
		"application": args.Once(p.unmarshalApplication),
	}))
	p.CatalogueDigest = digestOf(p.Catalogue)
	return err
}

// digestOf is the digest of the folder's files; empty if they cannot be read here.
// What is wrong with the folder is told when the configuration is loaded.
func digestOf(catalogue string) string {
	folder, err := args.Resolve("catalogue", catalogue)
	if err != nil || folder == "" {
		return ""
	}
	digest, err := persona.Digest(os.DirFS(folder))
	if err != nil {
		return ""
	}
	return digest
}

func (p *Personification) unmarshalApplication(d *caddyfile.Dispenser) error {
	if err := args.None(d); err != nil {
		return err
	}
	p.Application = new(Application)
	return args.Block(d, "application", args.Options{
		"id":        args.String(&p.Application.ID),
		"name":      args.String(&p.Application.Name),
		"version":   args.String(&p.Application.Version),
		"platform":  args.String(&p.Application.Platform),
		"onboarded": args.Bool(&p.Application.Onboarded),
		"privacy":   args.String(&p.Application.Privacy),
	})
}
