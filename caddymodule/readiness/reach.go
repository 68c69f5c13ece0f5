package readiness

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
)

// IdentityProvider is the check that somebody answers at the addresses that a handler sends
// requests to. It fails while others are away: whoever restarts this process, or sends
// requests to another one, gains nothing by that.
func IdentityProvider(of string, transport http.RoundTripper, addresses func(context.Context) ([]*url.URL, error)) Check {
	return Check{Name: "identity_provider", Of: of, Probe: func(ctx context.Context) error {
		all, err := addresses(ctx)
		if err != nil {
			return err
		}
		for _, address := range all {
			// Harmless at any endpoint, and rejected by most: what counts is that there is one.
			r, err := http.NewRequestWithContext(ctx, http.MethodHead, address.String(), nil)
			if err != nil {
				return err
			}
			response, err := transport.RoundTrip(r)
			if err != nil {
				return fmt.Errorf("%s: %w", address.Host, idp.Scrub(err))
			}
			_ = response.Body.Close()
			switch response.StatusCode {
			case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
				return fmt.Errorf("%s responds with status %d", address.Host, response.StatusCode)
			}
		}
		return nil
	}}
}
