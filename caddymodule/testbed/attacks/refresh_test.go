package attacks

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
	"github.com/identity-gateway/caddy-identity-gateway/idp/dpop/dpoptest"
)

// rotates is a gateway that replaces refresh tokens, with the shortest grace. Every
// use after that of one that was replaced comes late.
const (
	rotates   = "rotate_refresh {\n\t\tgrace 1s\n\t}"
	afterward = 1100 * time.Millisecond
	// With longer graces an attacker has time. A refresh replaces the token only when the
	// grace of the login, or of the refresh before, is over. underWay is longer than a token is good whose successor has been used.
	rotatesSlowly = "rotate_refresh {\n\t\tgrace 5s\n\t}"
	slowly        = 5100 * time.Millisecond
	rotatesSlower = "rotate_refresh {\n\t\tgrace 15s\n\t}"
	slower        = 15100 * time.Millisecond
	underWay      = 10100 * time.Millisecond
)

// logsOut is a gateway that the IdP tells of logouts.
var logsOut = setup{options: "discover", sealed: rotates + "\n\tbackchannel_logout"}

// refreshThief is the attacker who has a client's refresh token: from the storage
// of an app, a backup, a log of the app. He is not a client that has a secret.
func refreshThief() []Attack {
	return []Attack{
		attack("uses a stolen refresh token",
			"the client's refresh token", "a token of the victim", func(e *env) Outcome { return e.refreshAs(appID, nil) }).
			succeedsIn(callbackOrPublic, "A public client's refresh token is good for whoever has it (RFC 9700 section 2.2.2). IdPs that rotate them notice a second use."),
		attack("the same; the client has `dpop`. He has no key, one of his own, or the owner's last proof",
			"the client's refresh token, and a whole request of it", "a token of the victim", (*env).refreshWithoutKey).
			given(setup{sealed: "public_url {base}", client: "dpop required"}).in(withCallback),
		attack("the same; the client authenticates at the gateway (`token_endpoint_auth`). He has no secret, a wrong one, or its hash",
			"the client's refresh token, and the gateway's configuration", "a token of the victim", (*env).refreshWithoutSecret).
			given(setup{client: "token_endpoint_auth client_secret_post " + hashed(clientSecret)}).in(confidentialCallback),
		attack("uses a stolen refresh token as another client that is registered at the gateway",
			"the client's refresh token", "a token of the victim, with what the other client may ask for", func(e *env) Outcome { return e.refreshAs(ownID, nil) }).
			given(setup{idp: takesCodesOfOtherClients}).
			succeedsIn(noCallback, "The IdP gives a client the tokens of another client's logins. With `callback` a refresh token is sealed to its client."),
		attack("the same where both clients are one at the IdP",
			"the client's refresh token", "a token of the victim, with what the other client may ask for", func(e *env) Outcome { return e.refreshAs(ownID, nil) }).
			given(setup{sharedIdPClient: true}).in(confidentialCallback),
		attack("uses the IdP's own refresh token",
			"a refresh token of the IdP, from elsewhere", "a token of the victim", (*env).refreshUnsealed).
			given(setup{sharedIdPClient: true}).in(confidentialCallback),
		attack("asks for a resource with a refresh token that the client may not ask for",
			"the client's refresh token", "a token for another API", func(e *env) Outcome { return e.refreshAs(appID, url.Values{"resource": {"https://admin.example/"}}) }).
			given(setup{client: "audience https://api.example/"}),
		attack("asks for an audience with a refresh token that the client may not ask for",
			"the client's refresh token", "a token for another API", func(e *env) Outcome { return e.refreshAs(appID, url.Values{"audience": {"https://admin.example/"}}) }).
			given(setup{client: "audience https://api.example/"}),
		attack("uses a stolen refresh token after the client has used it; the gateway has `rotate_refresh`",
			"the client's refresh token", "a token of the victim", rotated(afterward, func(e *env, stolen, _ string) *tokens { return e.refresh(stolen) })).
			given(setup{sealed: rotates}).in(withCallback).patiently(),
		attack("the same, and keeps the token that the victim's client got meanwhile",
			"the client's refresh tokens", "a token of the victim", rotated(afterward, func(e *env, stolen, current string) *tokens {
				if t := e.refresh(stolen); t.AccessToken != "" {
					return t
				}
				return e.refresh(current)
			})).given(setup{sealed: rotates}).in(withCallback).patiently(),
		attack("uses it before the client does, and again after; the gateway has `rotate_refresh`",
			"the client's refresh token", "to go on as the victim", rotated(afterward, func(e *env, _, current string) *tokens {
				thiefs := e.refresh(current)
				thiefs.require("at the thief's first use")
				time.Sleep(afterward)
				if t := e.refresh(current); t.AccessToken != "" { // the client, who is logged out
					return t
				}
				return e.refresh(thiefs.RefreshToken)
			})).given(setup{sealed: rotates}).in(withCallback).patiently(),
		attack("uses a stolen refresh token within the grace of the client's use; the gateway has `rotate_refresh`",
			"the client's refresh token", "a token of the victim", rotated(slowly, func(e *env, _, stolen string) *tokens {
				if t := e.refresh(stolen); t.AccessToken == "" {
					return t
				}
				return e.refresh(stolen)
			})).given(setup{sealed: rotatesSlowly}).in(withCallback).patiently().
			succeedsIn(always, "Within the grace nobody can tell a thief from a second tab. Whichever of both comes later than the grace with a token that the other has had replaced ends the login for both."),
		attack("the same, and follows each refresh of the client within the grace",
			"the client's refresh token, and when it refreshes", "to go on as the victim", rotated(0, func(e *env, _, stolen string) *tokens {
				thiefs, clients := &tokens{RefreshToken: stolen}, &tokens{RefreshToken: stolen}
				for range 3 {
					time.Sleep(slowly)
					if clients = e.refresh(clients.RefreshToken); clients.AccessToken == "" {
						return clients
					}
					if thiefs = e.refresh(thiefs.RefreshToken); thiefs.AccessToken == "" {
						return thiefs
					}
				}
				return thiefs
			})).given(setup{sealed: rotatesSlowly}).in(withCallback).patiently().
			succeedsIn(always, "He is a second tab that is never late. A shorter `grace` leaves him less time; only a client with a secret of its own stops him."),
		attack("uses a stolen refresh token within the grace, after the client has used its new one, too; the gateway has `rotate_refresh`",
			"the client's refresh token from before", "a token of the victim", rotated(slower, func(e *env, _, stolen string) *tokens {
				current := &tokens{RefreshToken: stolen}
				for range 2 {
					current = e.refresh(current.RefreshToken)
					current.require("for the client")
				}
				time.Sleep(underWay)
				return e.refresh(stolen)
			})).given(setup{sealed: rotatesSlower}).in(withCallback).patiently(),
		attack("goes on with a stolen refresh token after the victim has logged out at the IdP; the gateway has `rotate_refresh`",
			"the client's refresh token", "to go on as the victim", (*env).refreshAfterLogout).
			given(setup{options: "discover", sealed: rotates}).in(withCallback).
			succeedsIn(always, "The gateway hears nothing of the logout, and this IdP keeps the refresh tokens of a session that has ended. See `backchannel_logout`."),
		attack("the same; the gateway has `backchannel_logout`",
			"the client's refresh token", "to go on as the victim", (*env).refreshAfterLogout).
			given(logsOut).in(withCallback),
		attack("redeems a code from before the victim's logout; the gateway has `backchannel_logout`",
			"the code of a login of the victim, and its verifier", "a login that outlives the logout", (*env).redeemAfterLogout).
			given(logsOut).in(withCallback),
		attack("ends the victim's login: with her ID token, with logout tokens for his own client at the IdP, of no key of the IdP's, for another user with her session, or one from before; the gateway has `backchannel_logout`",
			"the victim's ID token, and logout tokens that the IdP sent to him", "the victim is logged out", (*env).forgedLogouts).
			given(logsOut).in(withCallback),
		attack("uses a refresh token at another site of the same IdP, keys and client, which has `rotate_refresh`",
			"the refresh token of a site without it", "a token of the victim, with the rules of the other site", func(e *env) Outcome { return e.refreshAtSite(rotates) }).
			in(withCallback).patiently(),
		attack("the same, the other way round",
			"the refresh token of a site with `rotate_refresh`", "a token of the victim, with the rules of the other site", func(e *env) Outcome { return e.refreshAtSite("") }).
			given(setup{sealed: rotates}).in(withCallback).patiently(),
		attack("the same where each site has its `public_url`",
			"the refresh token of one of them", "a token of the victim, with the rules of the other site", func(e *env) Outcome { return e.refreshAtSite("public_url https://two.example") }).
			given(setup{sealed: "public_url {base}"}).in(withCallback).patiently(),
		attack("uses a stolen refresh token as another client, to have the victim logged out; the gateway has `rotate_refresh`",
			"the client's refresh token from before", "the victim is logged out", rotated(afterward, func(e *env, stolen, current string) *tokens {
				attempt := e.exchange(refreshForm(ownID, stolen))
				e.refresh(current).require("for the victim")
				return attempt
			})).given(setup{sealed: rotates, sharedIdPClient: true}).in(confidentialCallback).patiently(),
	}
}

// rotated has the victim's client refresh once, lets the attacker use the token from
// before, or the current one, after a while, and judges what he gets.
func rotated(after time.Duration, use func(e *env, stolen, current string) *tokens) func(*env) Outcome {
	return func(e *env) Outcome {
		first, _ := e.loggedIn(newLogin())
		time.Sleep(afterward)
		current := e.refresh(first.RefreshToken)
		if current.RefreshToken == "" {
			fail.Now("the client's refresh token did not rotate: %s %s", current.Error, current.Description)
		}
		time.Sleep(after)
		return e.theft(use(e, first.RefreshToken, current.RefreshToken))
	}
}

// prover is a client that sends proofs of its key.
type prover struct {
	key   *dpoptest.Key
	nonce string
	last  string // proof
}

// prove makes a token request with a proof, and again with the nonce that it needs.
func (e *env) prove(p *prover, form url.Values) *tokens {
	for attempt := 0; ; attempt++ {
		p.last = p.key.Proof(http.MethodPost, e.base+tokenPath, time.Now(), "", p.nonce)
		t := e.post(e.base+tokenPath, form, http.Header{"Dpop": {p.last}})
		if t.Error != "use_dpop_nonce" || attempt > 0 {
			return t
		}
		p.nonce = t.nonce
	}
}

// refreshWithoutKey uses a refresh token that is bound to its owner's key.
func (e *env) refreshWithoutKey() Outcome {
	l, owner := newLogin(), &prover{key: dpoptest.NewKey()}
	t := e.prove(owner, e.exchangeForm(l, e.logIn(victim, l).Get("code")))
	t.require("for the victim")
	form := refreshForm(appID, t.RefreshToken)
	e.prove(owner, form).require("for the victim")
	for _, header := range []http.Header{nil, {"Dpop": {owner.last}}} {
		if t := e.post(e.base+tokenPath, form, header); t.AccessToken != "" {
			return e.theft(t)
		}
	}
	return e.theft(e.prove(&prover{key: dpoptest.NewKey()}, form))
}

// clientSecret is that of a client which authenticates at the gateway.
const clientSecret = "6f2c9b7d41e8a350"

func hashed(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// refreshWithoutSecret uses a refresh token of a client that has a secret at the gateway.
func (e *env) refreshWithoutSecret() Outcome {
	l := newLogin()
	form := e.exchangeForm(l, e.logIn(victim, l).Get("code"))
	form.Set("client_secret", clientSecret)
	t := e.exchange(form)
	t.require("for the victim")
	form = refreshForm(appID, t.RefreshToken)
	form.Set("client_secret", clientSecret)
	e.exchange(form).require("for the victim")
	for _, secret := range []string{"", "wrong", hashed(clientSecret)} {
		form.Set("client_secret", secret)
		if t = e.exchange(form); t.AccessToken != "" {
			break
		}
	}
	return e.theft(t)
}

// refreshAtSite uses a refresh token of the victim's client at another site, which has
// other options.
func (e *env) refreshAtSite(sealed string) Outcome {
	first, _ := e.loggedIn(newLogin())
	t := e.refresh(first.RefreshToken)
	t.require("at the token's own site")
	e.setup.sealed = sealed
	e.nodes = append(e.nodes, fail.Must(e.startNode("")))
	e.front.Store(int32(len(e.nodes) - 1))
	return e.theft(e.refresh(cmp.Or(t.RefreshToken, first.RefreshToken)))
}

// refreshUnsealed uses the IdP's own refresh token of a login of the victim's.
func (e *env) refreshUnsealed() Outcome {
	l := newLogin()
	form := e.exchangeForm(l, e.logInUntilCode(victim, l).params.Get("code"))
	form.Set("redirect_uri", e.redirectAtIdP(l.redirectURI))
	form.Del("client_id")
	r := http.Request{Header: make(http.Header)}
	r.SetBasicAuth(appID, url.QueryEscape(appSecret))
	t := e.post(e.idp.URL()+tokenPath, form, r.Header)
	t.require("from the IdP")
	return e.theft(e.refresh(t.RefreshToken))
}

// refreshAs uses the refresh token of a login of the victim's for a client.
func (e *env) refreshAs(clientID string, extra url.Values) Outcome {
	t, _ := e.loggedIn(newLogin())
	form := refreshForm(clientID, t.RefreshToken)
	maps.Copy(form, extra)
	if clientID == ownID || extra != nil {
		form = e.withSecret(form) // extra: the client itself asks for too much
	}
	return e.theft(e.exchange(form))
}

func (e *env) tellLogout(token string) int {
	return e.send(e.client, e.newPost(e.base+"/oauth/backchannel_logout", url.Values{"logout_token": {token}}, nil)).status
}

// refreshAfterLogout uses a refresh token of a user whom the IdP has logged out.
func (e *env) refreshAfterLogout() Outcome {
	t, _ := e.loggedIn(newLogin())
	e.tellLogout(e.idp.LogoutToken(appID, victim, nil))
	return e.theft(e.refresh(t.RefreshToken))
}

// redeemAfterLogout redeems a code of a user whom the IdP has logged out since, whose ID token is
// younger than the logout.
func (e *env) redeemAfterLogout() Outcome {
	l := newLogin()
	code := e.logIn(victim, l).Get("code")
	e.tellLogout(e.idp.LogoutToken(appID, victim, nil))
	time.Sleep(afterward)
	return e.theft(e.exchange(e.exchangeForm(l, code)))
}

// forgedLogouts sends what is no logout of the victim, and in the end one that is.
func (e *env) forgedLogouts() Outcome {
	early := e.idp.LogoutToken(appID, victim, map[string]any{"iat": time.Now().Add(-time.Minute).Unix()})
	t, _ := e.loggedIn(newLogin())
	own := e.idp.LogoutToken(directID, victim, nil)
	for _, token := range []string{
		t.IDToken, own, dpoptest.NewKey().Sign(payloadOf(e.idp.LogoutToken(appID, victim, nil)), map[string]any{"typ": "logout+jwt"}),
		e.idp.LogoutToken(appID, attacker, map[string]any{"sid": victim}),
		e.idp.LogoutToken(appID, victim, map[string]any{"nonce": "n"}), early, early,
	} {
		e.tellLogout(token)
		if t = e.refresh(t.RefreshToken); t.AccessToken == "" {
			return succeeded("the victim's client gets %s", t.Error)
		}
		if t.RefreshToken == "" {
			fail.Now("the refresh brought no refresh token")
		}
	}
	if status := e.tellLogout(e.idp.LogoutToken(appID, victim, nil)); status != http.StatusOK || e.refresh(t.RefreshToken).AccessToken != "" {
		fail.Now("a logout token of the victim is answered with %d, and ends nothing", status)
	}
	return stopped(Gateway, "the victim's login goes on")
}

func payloadOf(raw string) json.RawMessage {
	return fail.Must(base64.RawURLEncoding.DecodeString(strings.Split(raw, ".")[1]))
}
