package identity

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/identity/sealing"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/identity/stores"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/decision"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/docs"
	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/replay"
)

// readSecrets reads the secret or the private key of the gateway's client at the IdP; c may be nil.
func readSecrets(c *idp.IdPClientConfig) (err error) {
	if c == nil {
		return nil
	}
	if c.Secret = strings.TrimSpace(c.Secret); c.PrivateKeyFile == "" { // files end with a line break
		return nil
	}
	if c.PrivateKey, err = os.ReadFile(c.PrivateKeyFile); err != nil {
		return fmt.Errorf("idp_client private_key_jwt: %w", err)
	}
	return nil
}

// callbackConfig is the policy's part of the callback's options, nil without callback.
func (g *Gateway) callbackConfig() (*idp.CallbackConfig, error) {
	if g.Callback == "" {
		if g.LoginTimeout != 0 || len(g.SealingKeys) > 0 || len(g.SigningKeys) > 0 || g.ReplayRaw != nil || g.RotateRefresh != nil {
			return nil, errors.New("login_timeout, sealing_key, signing_key, replay and rotate_refresh need callback")
		}
		return nil, nil
	}
	return &idp.CallbackConfig{Path: g.Callback, LoginTimeout: time.Duration(g.LoginTimeout)}, nil
}

// provisionSealing sets up the keys and the replay store, if there is a callback.
func (g *Gateway) provisionSealing(ctx caddy.Context, policy *idp.Policy, parts *idp.Parts) error {
	if !policy.HasCallback() {
		return nil
	}
	module, err := ctx.App("identity_gateway")
	if err != nil {
		return err
	}
	app, idpAddress := module.(*App), policy.AuthURL().String()
	if g.PublicURL != "" {
		if err := app.claimCallback(policy.CallbackURL(""), idpAddress); err != nil {
			return err
		}
	}
	masters, err := args.ResolveAll("sealing_key", g.SealingKeys)
	if err != nil {
		return err
	}
	if g.keys, err = sealing.New(masters, ctx.Storage(), g.logger, time.Now); err != nil {
		return err
	}
	if err := g.keys.Remember(); err != nil {
		return err
	}
	app.keyrings.Add(g.keys, policy.PublicURL())
	if err := g.provisionSigning(ctx, app, policy, parts); err != nil {
		return err
	}
	if err := g.provisionReplay(app, policy); err != nil {
		return err
	}
	parts.Keys, parts.Replay = g.keys, g.replay
	return nil
}

// provisionSigning sets up the keys of the gateway's own ID tokens, if clients get those.
func (g *Gateway) provisionSigning(ctx caddy.Context, app *App, policy *idp.Policy, parts *idp.Parts) error {
	files, err := args.ResolveAll("signing_key", g.SigningKeys)
	if err != nil {
		return err
	}
	switch {
	case !policy.SignsIDTokens() && len(files) > 0:
		return errors.New("signing_key needs ID tokens of the gateway's own: callback, public_url and discover, without id_tokens idp")
	case !policy.SignsIDTokens():
		return nil
	case len(g.SealingKeys) > 0 && len(files) == 0:
		return errors.New("sealing_key, for nodes without a common storage, needs signing_key, so that they sign ID tokens by the same key: signing_key <file> " +
			"(make one with: openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out <file>); id_tokens idp passes on those of the identity provider instead")
	}
	if g.signing, err = sealing.NewSigning(policy.PublicURL(), policy.AuthURL().String(), files, ctx.Storage(), g.logger, time.Now); err != nil {
		return err
	}
	if err := g.signing.Remember(); err != nil {
		return err
	}
	for _, algorithm := range policy.IDTokenAlgorithms() {
		if len(files) > 0 && !g.signing.Has(algorithm) {
			return fmt.Errorf("signing_key: none is for id_token_alg %s: add a file with a key on P-256", algorithm)
		}
	}
	app.whenStarted(func() error {
		err := g.signing.CheckIdP(ctx)
		g.segment.Locate(&err)
		return err
	})
	parts.SigningKeys = g.signing
	return nil
}

// loadReplay loads the replay store, a file unless another is configured, and returns
// its name.
func (g *Gateway) loadReplay(ctx caddy.Context) (name string, err error) {
	if g.ReplayRaw == nil {
		g.ReplayRaw = json.RawMessage(`{"module":"file"}`)
	}
	name = string(g.ReplayRaw) // which Caddy empties
	module, err := ctx.LoadModule(g, "ReplayRaw")
	if err != nil {
		return "", fmt.Errorf("replay: %w", err)
	}
	var ok bool
	if g.replay, ok = module.(replay.Store); !ok {
		return "", fmt.Errorf("replay: module %T is not a replay store", module)
	}
	if named, ok := module.(replay.Namer); ok {
		name = named.Name()
	}
	return name, nil
}

// provisionReplay readies the replay store for the IdP and for what the policy needs.
func (g *Gateway) provisionReplay(app *App, policy *idp.Policy) error {
	start, err := stores.For(g.replay, policy.AuthURL())
	if err != nil {
		return err
	}
	if start != nil {
		app.whenStarted(func() error {
			err := start()
			g.segment.Locate(&err)
			return err
		})
	}
	if _, forgets := g.replay.(*stores.Memory); forgets && g.RotateRefresh != nil {
		g.logger.Warn("rotate_refresh with replay memory: whoever has a refresh token logs in again after each restart; leave replay out, and a file remembers")
	}
	return nil
}

// logBinding says at load what binds a code to its login.
func (g *Gateway) logBinding(policy *idp.Policy) {
	message := "codes are bound to their logins by this gateway"
	switch {
	case !policy.HasCallback():
		message = "codes are bound to their logins only by an identity provider that checks PKCE; to have the gateway do it, set callback"
	case !policy.Clients().KeepsSecrets():
		message += "; a code that is stolen before it reaches the callback can be redeemed at an identity provider that does not check PKCE, " +
			"unless the gateway is a confidential client there: set idp_client"
	}
	g.logger.Info(message, zap.String("idp", policy.AuthURL().Host))
}

// maxNotedCallbacks bounds what requests, which may name any host, have logged.
const maxNotedCallbacks = 8

// notedCallbacks are the sites whose callback [Gateway.noteCallback] has logged.
type notedCallbacks struct {
	mu   sync.Mutex
	urls []string // of the sites
}

// add reports whether url is a new one.
func (n *notedCallbacks) add(url string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.urls) == maxNotedCallbacks || slices.Contains(n.urls, url) {
		return false
	}
	n.urls = append(n.urls, url)
	return true
}

// noteCallback says at the first login what has to be registered at the IdP: one that
// does not know the callback says so to the user alone.
func (g *Gateway) noteCallback(r *http.Request, d *decision.Decision, base string) {
	if g.keys == nil || d.Endpoint != idp.Authorize.String() || d.Refusal != nil {
		return
	}
	if !g.noted.add(cmp.Or(g.policy.PublicURL(), base)) {
		return
	}
	callback := g.policy.CallbackURL(base)
	log, help, message := g.logger.Info, docs.SealedCodes, "logins come back to this callback; at the identity provider it has to be registered as the redirect URI"
	if g.PublicURL == "" && strings.HasPrefix(callback, "http:") && strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https") {
		log, help, message = g.logger.Warn, docs.BehindProxy, "logins come back to this callback by http, although a proxy in front of Caddy says that browsers use https; "+
			"name the proxy in trusted_proxies of the global option servers, or set public_url"
	}
	if prefix := r.Header.Get("X-Forwarded-Prefix"); g.PublicURL == "" && strings.HasPrefix(prefix, "/") && !strings.Contains(callback, prefix+"/") {
		log, help, message = g.logger.Warn, docs.BehindProxy, "logins come back to this callback, although a proxy in front of Caddy says that it removes "+prefix+" from paths; "+
			"set public_url to the address that browsers use, with that path"
	}
	log(message, zap.String("callback", callback), zap.String("idp", g.policy.AuthURL().Host), zap.String("help", help))
}

// baseURL is the URL under which the browser reaches the gateway.
func baseURL(r *http.Request) string {
	scheme := "http"
	trusted, _ := caddyhttp.GetVar(r.Context(), caddyhttp.TrustedProxyVarKey).(bool)
	if r.TLS != nil || trusted && strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https") {
		scheme = "https"
	}
	stripped := "" // by handle_path
	if original, ok := r.Context().Value(caddyhttp.OriginalRequestCtxKey).(http.Request); ok {
		stripped, _ = strings.CutSuffix(original.URL.EscapedPath(), r.URL.EscapedPath())
	}
	return scheme + "://" + strings.ToLower(r.Host) + stripped
}

// logAudiences warns of clients that reject their own ID tokens.
func (g *Gateway) logAudiences(clients []idp.ClientConfig) {
	for _, c := range clients {
		if c.IdPClient == nil || c.IdPClient.ID == c.ID || len(c.Scopes) > 0 && !slices.Contains(c.Scopes, "openid") {
			continue
		}
		message := "client " + c.ID + ": ID tokens are for its idp_client, " + c.IdPClient.ID + " (aud), and a standard client that asks for openid takes only those for itself; " +
			"give it that id, or list its scopes without openid"
		g.logger.Warn(message, g.segment.Fields(message)...)
	}
}

// logShared warns of clients that the IdP can't tell apart.
func (g *Gateway) logShared(policy *idp.Policy) {
	for _, shared := range policy.Clients().SharedRegistrations() {
		unasked := policy.Clients().WithoutConsent(shared)
		if len(unasked) == 0 {
			continue
		}
		g.logger.Warn("these clients are one client at the identity provider: who trusted one of them is asked nothing when another one logs in, "+
			"and their access tokens are good for each other; give those that do not trust each other an idp_client each, or set consent",
			zap.String("idp_client", shared.IdPClient), zap.Strings("clients", shared.ClientIDs), zap.Strings("without_consent", unasked))
	}
}
