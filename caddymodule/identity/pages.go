package identity

import (
	"slices"

	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/idp/pages"
)

func (g *Gateway) unmarshalPages(d *caddyfile.Dispenser) error {
	g.Pages = new(pages.Config)
	return args.Alone(d, "pages", args.Options{
		"name":       args.String(&g.Pages.Name),
		"logo":       args.String(&g.Pages.Logo),
		"help":       args.String(&g.Pages.Help),
		"accent":     twoColors(&g.Pages.Accent),
		"background": twoColors(&g.Pages.Background),
		"templates":  args.String(&g.Pages.Templates),
	})
}

func twoColors(target *[]string) args.Option {
	return args.Once(func(d *caddyfile.Dispenser) error {
		name := d.Val()
		if *target = d.RemainingArgs(); len(*target) != 2 {
			return d.Errf("%s needs two colors, for light and for dark screens, not %d: %[1]s 0b57d0 a8c7fa, without #, which begins a comment", name, len(*target))
		}
		return nil
	})
}

// forgetPages leaves out what is known only when the configuration is loaded: files, and values
// with placeholders.
func forgetPages(known, original *pages.Config) {
	if known == nil {
		return
	}
	known.Logo, known.Templates = "", ""
	if slices.ContainsFunc(original.Accent, args.HasPlaceholder) || slices.ContainsFunc(original.Background, args.HasPlaceholder) {
		known.Accent, known.Background = nil, nil
	}
}
