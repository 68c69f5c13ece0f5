package issuers

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"time"

	"go.uber.org/zap"

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

// storageTimeout bounds a look into the storage.
const storageTimeout = 10 * time.Second

// kept is what is in the storage for an issuer.
type kept struct {
	Issuer  string    `json:"issuer"`
	Fetched time.Time `json:"fetched"`
	// Document is the metadata as the IdP sent it. It is checked again when it is read.
	Document json.RawMessage `json:"document"`
}

// storageKey is readable, and different for issuers, or ways to trust them, that differ.
func storageKey(issuer string, access Access) string {
	host := "issuer"
	if u, err := url.Parse(issuer); err == nil {
		host = strings.ReplaceAll(strings.Trim(u.Host, "[]"), ":", "_")
	}
	name := issuer
	if access.Trusts != "" {
		name += "\n" + access.Trusts // no issuer has a newline
	}
	if access.At != "" {
		name += "\n\n" + access.At // and no JSON in one line
	}
	sum := sha256.Sum256([]byte(name))
	return "identity_gateway/discovery/" + host + "-" + hex.EncodeToString(sum[:8]) + ".json"
}

// load is what is in the storage and its age, nil if there is nothing usable.
func load(ctx context.Context, access Access, issuer string) (*discovery.Metadata, time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, storageTimeout)
	defer cancel()
	key := storageKey(issuer, access)
	raw, err := access.Storage.Load(ctx, key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0
	}
	var k kept
	if err == nil {
		err = json.Unmarshal(raw, &k)
	}
	var m *discovery.Metadata
	if err == nil {
		m, err = discovery.ParseAt(issuer, access.At, k.Document)
	}
	if err != nil {
		access.Logger.Warn("the identity provider's metadata in Caddy's storage is not usable",
			zap.String("storage_key", key), zap.Error(err))
		return nil, 0
	}
	return m, time.Since(k.Fetched).Truncate(time.Second)
}

func store(ctx context.Context, access Access, issuer string, document []byte) error {
	ctx, cancel := context.WithTimeout(ctx, storageTimeout)
	defer cancel()
	raw, err := json.Marshal(kept{Issuer: issuer, Fetched: time.Now().UTC(), Document: document})
	if err != nil {
		return err
	}
	return access.Storage.Store(ctx, storageKey(issuer, access), raw)
}
