package issuers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
)

// Fetch gets the metadata of an issuer and checks it. It tries the well-known
// addresses in their order, or the one that is at, each for at most the given time.
func Fetch(ctx context.Context, transport http.RoundTripper, issuer, at string, patience time.Duration) ([]byte, *discovery.Metadata, error) {
	addresses, err := discovery.AddressesAt(issuer, at)
	if err != nil {
		return nil, nil, err
	}
	var failures []error
	for _, address := range addresses {
		raw, err := get(ctx, transport, address, patience)
		if err == nil {
			var m *discovery.Metadata
			if m, err = discovery.ParseAt(issuer, at, raw); err == nil {
				return raw, m, nil
			}
		}
		failures = append(failures, fmt.Errorf("%s: %w", address, err))
		var status statusError
		if !errors.As(err, &status) && !errors.Is(err, discovery.ErrOtherIssuer) {
			break // the other address would fail alike, or the answer is worth more than its failure
		}
	}
	return nil, nil, errors.Join(failures...)
}

// statusError is a response other than 200.
type statusError int

func (e statusError) Error() string {
	if e >= 300 && e < 400 {
		return fmt.Sprintf("it answers %d: the metadata is somewhere else; write the issuer that is its address", int(e))
	}
	return fmt.Sprintf("it answers %d", int(e))
}

// get follows no redirect: what is elsewhere is not the issuer's word.
func get(ctx context.Context, transport http.RoundTripper, address string, patience time.Duration) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "caddy-identity-gateway")
	response, err := transport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, statusError(response.StatusCode)
	}
	raw, err := io.ReadAll(io.LimitReader(response.Body, discovery.MaxDocument+1))
	if err != nil {
		return nil, fmt.Errorf("the answer breaks off: %w", err)
	}
	return raw, nil
}
