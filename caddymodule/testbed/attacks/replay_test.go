package attacks

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

// racers is how many exchanges race for one code.
const racers = 20

// replays is the attacker who has a code and its verifier, from the client's own
// log or storage, and wants a token beside the client's. The IdP takes a code as
// often as it is sent.
func replays() []Attack {
	const goal = "a second token"
	return []Attack{
		attack("exchanges a code again",
			"code and verifier", goal, func(e *env) Outcome {
				l, code := e.finished()
				return e.again(l, code)
			}).succeedsIn(noCallback, onlyIdP),
		attack("exchanges a code again at another node; `replay memory`",
			"code and verifier", goal, func(e *env) Outcome {
				l, code := e.finished()
				e.front.Store(1)
				return e.again(l, code)
			}).given(setup{nodes: 2, process: true}).succeedsIn(always, "Each node knows its own exchanges only. `replay redis` is for clusters."),
		attack("exchanges a code again after a restart; `replay memory`",
			"code and verifier", goal, againAfterRestart).given(setup{process: true}).
			succeedsIn(always, "The memory is gone, and the code is good for another minute at most. The default, a file, outlives a restart."),
		attack("exchanges a code again after the gateway was killed; `replay file`",
			"code and verifier", goal, againAfterRestart).given(setup{process: true, sealed: "replay file"}).succeedsIn(noCallback, onlyIdP),
		attack("loads the callback twice and exchanges both codes",
			"the IdP's response and the verifier", goal, func(e *env) Outcome {
				l := newLogin()
				codes := e.loadTimes(l, 2)
				e.finish(l, url.Values{"code": {codes[0]}, "state": {l.state}}).require("at first")
				return e.again(l, codes[1])
			}).succeedsIn(noCallback, onlyIdP),
		attack(fmt.Sprintf("exchanges a code %d times at once", racers),
			"code and verifier", goal, func(e *env) Outcome {
				l := newLogin()
				return e.race(l, slices.Repeat(e.loadTimes(l, 1), racers))
			}).succeedsIn(noCallback, onlyIdP),
		attack(fmt.Sprintf("loads the callback %d times and exchanges all codes at once", racers),
			"the IdP's response and the verifier", goal, func(e *env) Outcome {
				l := newLogin()
				return e.race(l, e.loadTimes(l, racers))
			}).succeedsIn(noCallback, onlyIdP),
		attack("writes the IdP's code in another way that the IdP takes for the same, and exchanges both",
			"the IdP's response and the verifier", goal, otherSpelling).given(setup{idp: func(b *testidp.Behavior) { b.Reads = trimmedCode }}).
			succeedsIn(noCallback, onlyIdP),
		attack("has three people finish one login that he began, each with a code of their own",
			"lured victims, their codes, and the verifier", "a token of each", func(e *env) Outcome {
				own := newLogin()
				return e.shares(own, e.begin(own).link())
			}).succeedsIn(noCallback, onlyIdP),
		attack("the same with his authorization request, which each of them sends",
			"lured victims, their codes, and the verifier", "a token of each", func(e *env) Outcome {
				own := newLogin()
				return e.shares(own, e.authorizeURL(own))
			}).succeedsIn(noCallback, onlyIdP),
		attack("has the IdP give a user the same code for two logins and exchanges both",
			"both responses and verifiers", goal, func(e *env) Outcome {
				first, second := withoutNonce(), withoutNonce()
				one, two := e.logInUntilCode(victim, first), e.logInUntilCode(victim, second)
				code := one.params.Get("code") // which the IdP gives again
				e.finish(first, url.Values{"code": {e.deliverWithState(code, one.params.Get("state"))}, "state": {first.state}}).require("at first")
				return e.again(second, e.deliverWithState(code, two.params.Get("state")))
			}).succeedsIn(noCallbackIgnored, onlyIdP),
		attack("hangs up in the middle of an exchange and makes it again",
			"code and verifier", goal, func(e *env) Outcome {
				return e.afterLoss(func(form url.Values) {
					release := e.holdTokens()
					interrupted, cancel := context.WithCancel(e.ctx)
					r := e.newPost(e.base+tokenPath, form, nil).WithContext(interrupted)
					done := make(chan error, 1)
					go func() { done <- fail.Try(func() { e.send(e.client, r) }) }()
					e.until(func() bool { return e.idp.Held() > 0 })
					cancel()
					if <-done == nil {
						fail.Now("the exchange was not interrupted")
					}
					release()
					e.until(func() bool { return e.idp.IssuedCount() > 0 })
				})
			}).succeedsIn(noCallback, onlyIdP),
		attack("makes an exchange again whose response was lost, with an Idempotency-Key",
			"code and verifier", goal, func(e *env) Outcome { return e.afterLoss(e.losing) }).
			given(setup{idp: func(b *testidp.Behavior) { b.TokenOutage = testidp.Outage{Close: true, AfterIssuing: true} }}).
			succeedsIn(noCallback, onlyIdP),
		attack("makes an exchange again that the IdP answered with 500, having issued a token",
			"code and verifier", goal, func(e *env) Outcome { return e.afterLoss(e.losing) }).
			given(setup{idp: func(b *testidp.Behavior) { b.TokenOutage = testidp.Outage{Status: 500, AfterIssuing: true} }}).
			succeedsIn(noCallback, onlyIdP),
	}
}

// againAfterRestart exchanges a code, kills the gateway, starts it again, and exchanges
// the code once more.
func againAfterRestart(e *env) Outcome {
	l, code := e.finished()
	e.restart(0, func(*setup) {})
	return e.again(l, code)
}

// shares has three people open a link to one login, and exchanges all their codes.
func (e *env) shares(own *login, link string) Outcome {
	var last Outcome
	for i := range 3 {
		v := e.visit(victim, link)
		last = e.again(own, v.last().params.Get("code"))
		if i == 0 && !last.Succeeded() {
			fail.Now("the first exchange failed: %s", last.Detail)
		}
		if i > 0 && last.Succeeded() {
			return last
		}
	}
	return last
}

// finished is a completed login of the victim's, and the code that it ended with.
func (e *env) finished() (*login, string) {
	l := newLogin()
	_, params := e.loggedIn(l)
	return l, params.Get("code")
}

// again exchanges a code that must not buy a token any more.
func (e *env) again(l *login, code string) Outcome {
	return e.theft(e.exchange(e.withSecret(e.exchangeForm(l, code))))
}

// loadTimes logs the victim in and has the IdP's response delivered several
// times. Without a callback the codes are all the same.
func (e *env) loadTimes(l *login, times int) []string {
	h := e.logInUntilCode(victim, l)
	codes := make([]string, times)
	for i := range codes {
		if codes[i] = e.deliverWithState(h.params.Get("code"), h.params.Get("state")); codes[i] == "" {
			fail.Now("the callback refused an honest response")
		}
	}
	return codes
}

// race exchanges codes at once, of which one may buy a token.
func (e *env) race(l *login, codes []string) Outcome {
	var won atomic.Int32
	failures := make(chan error, len(codes))
	for _, code := range codes {
		go func() {
			failures <- fail.Try(func() {
				if e.exchange(e.withSecret(e.exchangeForm(l, code))).AccessToken != "" {
					won.Add(1)
				}
			})
		}()
	}
	for range codes {
		fail.Check(<-failures)
	}
	switch won.Load() {
	case 0:
		fail.Now("not even one exchange got a token")
	case 1:
		return stopped(e.inFront(), "one token")
	}
	return succeeded("%d tokens", won.Load())
}

// trimmedCode has an IdP take a code with spaces, dots or padding around it for the same code.
func trimmedCode(q url.Values) {
	if code := q.Get("code"); code != "" {
		q.Set("code", strings.Trim(code, " .="))
	}
}

// otherSpelling delivers a code again, each time with something else behind it.
func otherSpelling(e *env) Outcome {
	l := newLogin()
	h := e.logInUntilCode(victim, l)
	var last Outcome
	for i, suffix := range []string{"", " ", "=", "==", "."} {
		last = e.again(l, e.deliverWithState(h.params.Get("code")+suffix, h.params.Get("state")))
		if i == 0 && !last.Succeeded() {
			fail.Now("the first exchange failed: %s", last.Detail)
		}
		if i > 0 && last.Succeeded() {
			return last
		}
	}
	return last
}

// losing makes an exchange whose response does not arrive.
func (e *env) losing(form url.Values) {
	var t *tokens
	err := fail.Try(func() {
		t = e.post(e.base+tokenPath, form, http.Header{"Idempotency-Key": {"k-1"}, "X-Idempotency-Key": {"k-1"}})
	})
	if err == nil && t.AccessToken != "" {
		fail.Now("the response was not lost")
	}
}

// holdTokens keeps exchanges waiting at the IdP until it is told to release them.
func (e *env) holdTokens() (release func()) {
	hold := make(chan struct{})
	e.idp.Change(func(b *testidp.Behavior) { b.TokenOutage = testidp.Outage{Hold: hold} })
	return func() {
		e.idp.Change(func(b *testidp.Behavior) { b.TokenOutage = testidp.Outage{} })
		close(hold)
	}
}

func (e *env) until(condition func() bool) {
	for !condition() {
		fail.Check(e.ctx.Err())
		time.Sleep(5 * time.Millisecond)
	}
}

// afterLoss makes an exchange that is lost after the IdP has issued a token, and
// then makes it again.
func (e *env) afterLoss(lose func(url.Values)) Outcome {
	l := newLogin()
	form := e.withSecret(e.exchangeForm(l, e.logIn(victim, l).Get("code")))
	lose(form)
	e.idp.Change(func(b *testidp.Behavior) { b.TokenOutage = testidp.Outage{} })
	t := e.exchange(form)
	switch issued := len(e.idp.Issued()); {
	case issued == 0:
		fail.Now("the IdP issued nothing that could be lost")
	case issued > 1:
		return succeeded("the IdP issued %d tokens", issued)
	}
	return e.refused(t)
}
