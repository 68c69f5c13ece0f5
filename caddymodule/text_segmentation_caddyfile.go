package caddymodule

import (
	"strconv"

	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
)

func init() {
	httpcaddyfile.RegisterHandlerDirective("text_segmentation", parseTextSegmentation)
	httpcaddyfile.RegisterDirectiveOrder("text_segmentation", httpcaddyfile.After, "encode")
}

func parseTextSegmentation(h httpcaddyfile.Helper) (caddyhttp.MiddlewareHandler, error) {
	handler := new(TextSegmentation)
	return handler, handler.UnmarshalCaddyfile(h.Dispenser)
}

// UnmarshalCaddyfile sets up the handler from Caddyfile tokens. Syntax:
//
//	text_segmentation [<matcher>] {
//	    max_body       <size>
//	    max_concurrent <requests>
//	    origin         <origin>...
//	    min_confidence <0 to 1>
//	}
//
// The block and everything in it is optional.
func (ts *TextSegmentation) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the directive's name
	if d.NextArg() {
		return d.ArgErr()
	}
	for d.NextBlock(0) {
		known, err := ts.unmarshalOption(d)
		switch {
		case err != nil:
			return err
		case known:
		case d.Val() == "min_confidence":
			var value string
			if !d.AllArgs(&value) {
				return d.ArgErr()
			}
			confidence, err := strconv.ParseFloat(value, 64)
			if err != nil || !(confidence >= 0 && confidence <= 1) {
				return d.Errf("min_confidence must be a number from 0 to 1, not %q", value)
			}
			ts.MinConfidence = confidence
		default:
			return d.Errf("unknown subdirective %q of text_segmentation; it has max_body, max_concurrent, origin and min_confidence", d.Val())
		}
	}
	return nil
}
