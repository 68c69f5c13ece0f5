package language

import (
	"net/http"

	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/matcher"
)

func init() {
	httpcaddyfile.RegisterDirective("text_segmentation", parseTextSegmentation)
	httpcaddyfile.RegisterDirectiveOrder("text_segmentation", httpcaddyfile.After, "push") // and so after require_token
}

func parseTextSegmentation(h httpcaddyfile.Helper) ([]httpcaddyfile.ConfigValue, error) {
	handler := new(TextSegmentation)
	return matcher.ParseHandler(h, handler, http.MethodPost, func() []string { return append([]string{segmentationPath}, handler.Paths...) })
}

// UnmarshalCaddyfile sets up the handler from Caddyfile tokens. Syntax:
//
//	text_segmentation [<matcher>] {
//	    min_confidence <0 to 1>
//	    path           <paths...>
//	    max_body       <size>
//	    max_concurrent <requests>
//	    max_buffered   <size>
//	    max_wait       <duration>
//	    origin         <origins...>
//	    require_token  <issuer> [<audiences...>] {
//	        # the options of require_token
//	    }
//	}
//
// The block and everything in it is optional. path and origin may be repeated.
func (ts *TextSegmentation) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the directive's name
	if err := args.None(d); err != nil {
		return err
	}
	return args.Block(d, "text_segmentation", ts.Options.with(args.Options{
		"min_confidence": args.Float(&ts.MinConfidence, 0, 1),
	}))
}
