package idp

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/syntax"
	"github.com/identity-gateway/caddy-identity-gateway/idp/oauth"
	"github.com/identity-gateway/caddy-identity-gateway/idp/seal"
	"github.com/identity-gateway/caddy-identity-gateway/idp/signing"
)

// sealer is what it takes to seal and open: the keys, the time, and the
// callback's address as the browser knows it ([Policy.CallbackURL]).
type sealer struct {
	Keys     *seal.Keys
	Now      time.Time
	Callback string
}

// newSealer is what it takes to seal and open now. It is empty without a callback.
func (f *flow) newSealer() (sealer, error) {
	keys, err := f.keys()
	if keys == nil {
		return sealer{}, err
	}
	return f.sealer(keys), nil
}

func (f *flow) sealer(keys *seal.Keys) sealer {
	return sealer{Keys: keys, Now: f.gateway.parts.Now(), Callback: f.policy.CallbackURL(f.r.BaseURL)}
}

// keys are those that seal, nil without a callback.
func (f *flow) keys() (*seal.Keys, error) {
	if f.policy.callback == nil {
		return nil, nil
	}
	// For a client that has left, too: what the IdP has given it must not be lost.
	keys, err := f.gateway.parts.Keys.Current(context.WithoutCancel(f.r.Context()))
	if err != nil {
		return nil, oauth.NoKeys() // the keyring reports it
	}
	return keys, nil
}

// signingKeys are those of the gateway's own ID tokens.
func (f *flow) signingKeys() (*signing.Keys, error) {
	keys, err := f.gateway.parts.SigningKeys.Current(context.WithoutCancel(f.r.Context()))
	if err != nil { // whoever has them reports it
		return nil, oauth.Unavailable("the gateway can't get at its signing keys; try again later", "5")
	}
	return keys, nil
}

// CallbackURL is the callback as browsers reach it: below [Config.PublicURL], or else
// below base, the URL under which they reach the gateway. It is "" without a callback.
func (p *Policy) CallbackURL(base string) string {
	if p.callback == nil {
		return ""
	}
	return cmp.Or(p.public.url, base) + p.callback.Path
}

// open calls a function that opens something sealed, and once more with newer keys if
// another gateway may have sealed it with one of those.
func open[T any](f *flow, with func(sealer) (T, error)) (T, error) {
	opened, err := seal.With(f.r.Context(), f.gateway.parts.Keys, func(keys *seal.Keys) (T, error) { return with(f.sealer(keys)) })
	if errors.Is(err, seal.ErrNoKeys) {
		err = oauth.NoKeys() // the keyring reports it
	}
	return opened, err
}

// isSealed reports whether a text that would be sent to the IdP has something in it that the
// gateway has sealed, in any spelling: a refresh token or code, which are good here.
func (f *flow) isSealed(text string) (bool, error) {
	if f.policy.callback == nil {
		return false, nil
	}
	for i := 0; i < 3 && strings.Contains(text, "%"); i++ {
		decoded, err := url.PathUnescape(text)
		if err != nil {
			break
		}
		text = decoded
	}
	for rest := text; rest != ""; {
		n := 0
		for n < len(rest) && syntax.Base64URL.Has(rest[n]) {
			n++
		}
		part := rest[:n]
		if rest = rest[min(n+1, len(rest)):]; !seal.IsSealed(part) {
			continue
		}
		_, err := open(f, func(s sealer) (struct{}, error) { return struct{}{}, s.Keys.Sealed(part) })
		switch {
		case err == nil:
			return true, nil
		case !errors.Is(err, seal.ErrInvalid) && !errors.Is(err, seal.ErrUnknownKey):
			return false, err
		}
	}
	return false, nil
}
