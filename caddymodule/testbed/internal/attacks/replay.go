package attacks

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
)

// racers is how many exchanges race for one code.
const racers = 20

// replays is the attacker who has a code and its verifier, from the client's own
// log or storage, and wants a token beside the client's. The IdP takes a code as
// often as it is sent.
func replays() []Attack {
	const goal = "a second token"
	return []Attack{
		{
			Name: "exchanges a code again", Means: "code and verifier", Goal: goal,
			succeeds: noCallback, why: "Only the IdP can tell without `callback`.",
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				l, params, err := s.finished(ctx)
				if err != nil {
					return Outcome{}, err
				}
				return s.again(ctx, l, params.Get("code"))
			},
		},
		{
			Name: "exchanges a code again at another node; `replay memory`", Means: "code and verifier", Goal: goal,
			setup:    setup{nodes: 2, process: true},
			succeeds: always,
			why:      "Each node knows its own exchanges only. `replay redis` is for clusters.",
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				l, params, err := s.finished(ctx)
				if err != nil {
					return Outcome{}, err
				}
				if s.mode.Protection != Nothing {
					s.front.Store(1)
				}
				return s.again(ctx, l, params.Get("code"))
			},
		},
		{
			Name: "exchanges a code again after a restart; `replay memory`", Means: "code and verifier", Goal: goal,
			setup:    setup{process: true},
			succeeds: always,
			why:      "The memory is gone, and the code is good for another minute at most. The default, a file, outlives a restart.",
			run:      againAfterRestart,
		},
		{
			Name: "exchanges a code again after the gateway was killed; `replay file`", Means: "code and verifier", Goal: goal,
			setup:    setup{process: true, sealed: "replay file"},
			succeeds: noCallback, why: "Only the IdP can tell without `callback`.",
			run: againAfterRestart,
		},
		{
			Name: "loads the callback twice and exchanges both codes", Means: "the IdP's response and the verifier", Goal: goal,
			succeeds: noCallback, why: "Only the IdP can tell without `callback`.",
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				l := newLogin()
				codes, err := s.loadTimes(ctx, l, 2)
				if err != nil {
					return Outcome{}, err
				}
				first, err := s.finish(ctx, l, url.Values{"code": {codes[0]}, "state": {l.state}})
				if err != nil {
					return Outcome{}, err
				}
				if first.AccessToken == "" {
					return Outcome{}, errors.New("the first exchange failed: " + first.Error)
				}
				return s.again(ctx, l, codes[1])
			},
		},
		{
			Name: fmt.Sprintf("exchanges a code %d times at once", racers), Means: "code and verifier", Goal: goal,
			succeeds: noCallback, why: "Only the IdP can tell without `callback`.",
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				l := newLogin()
				codes, err := s.loadTimes(ctx, l, 1)
				if err != nil {
					return Outcome{}, err
				}
				same := make([]string, racers)
				for i := range same {
					same[i] = codes[0]
				}
				return s.race(ctx, l, same)
			},
		},
		{
			Name: fmt.Sprintf("loads the callback %d times and exchanges all codes at once", racers), Means: "the IdP's response and the verifier", Goal: goal,
			succeeds: noCallback, why: "Only the IdP can tell without `callback`.",
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				l := newLogin()
				codes, err := s.loadTimes(ctx, l, racers)
				if err != nil {
					return Outcome{}, err
				}
				return s.race(ctx, l, codes)
			},
		},
		{
			Name: "writes the IdP's code in another way that the IdP takes for the same, and exchanges both", Means: "the IdP's response and the verifier", Goal: goal,
			setup:    setup{idp: func(b *testidp.Behavior) { b.TrimsCodes = true }},
			succeeds: noCallback, why: "Only the IdP can tell without `callback`.",
			run: otherSpelling,
		},
		{
			Name: "has three people finish one login that he began, each with a code of their own", Means: "lured victims, their codes, and the verifier", Goal: "a token of each",
			succeeds: noCallback, why: "Only the IdP can tell without `callback`.",
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				own := newLogin()
				begun, err := s.begin(ctx, own)
				if err != nil {
					return Outcome{}, err
				}
				return s.shares(ctx, own, at(begun.String(), "", begun.params))
			},
		},
		{
			Name: "the same with his authorization request, which each of them sends", Means: "lured victims, their codes, and the verifier", Goal: "a token of each",
			succeeds: noCallback, why: "Only the IdP can tell without `callback`.",
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				own := newLogin()
				return s.shares(ctx, own, s.authorizeURL(own))
			},
		},
		{
			Name: "has the IdP give a user the same code for two logins and exchanges both", Means: "both responses and verifiers", Goal: goal,
			setup:    setup{idp: func(b *testidp.Behavior) { b.ReissuesCodes = true }},
			succeeds: func(m Mode) bool { return noCallback(m) && ignoresPKCE(m) }, why: "Only the IdP can tell without `callback`.",
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				first, second := withoutNonce(), withoutNonce()
				v1, err := s.logIn(ctx, victim, first)
				if err != nil {
					return Outcome{}, err
				}
				v2, err := s.logIn(ctx, victim, second)
				if err != nil {
					return Outcome{}, err
				}
				t, err := s.finish(ctx, first, v1.last().params)
				if err != nil {
					return Outcome{}, err
				}
				if t.AccessToken == "" {
					return Outcome{}, errors.New("the first exchange failed: " + t.Error)
				}
				return s.again(ctx, second, v2.last().params.Get("code"))
			},
		},
		{
			Name: "hangs up in the middle of an exchange and makes it again", Means: "code and verifier", Goal: goal,
			succeeds: noCallback, why: "Only the IdP can tell without `callback`.",
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				return s.afterLoss(ctx, func(ctx context.Context, form url.Values) error {
					release := s.holdTokens()
					interrupted, cancel := context.WithCancel(ctx)
					done := make(chan error, 1)
					go func() {
						_, err := s.exchange(interrupted, form)
						done <- err
					}()
					err := s.untilHeld(ctx)
					cancel()
					if <-done == nil {
						return errors.New("the exchange was not interrupted")
					}
					release()
					return errors.Join(err, s.untilIssued(ctx))
				})
			},
		},
		{
			Name: "makes an exchange again whose response was lost, with an Idempotency-Key", Means: "code and verifier", Goal: goal,
			succeeds: noCallback, why: "Only the IdP can tell without `callback`.",
			setup: setup{idp: func(b *testidp.Behavior) { b.TokenOutage = testidp.Outage{Close: true, AfterIssuing: true} }},
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				return s.afterLoss(ctx, s.losing)
			},
		},
		{
			Name: "makes an exchange again that the IdP answered with 500, having issued a token", Means: "code and verifier", Goal: goal,
			succeeds: noCallback, why: "Only the IdP can tell without `callback`.",
			setup: setup{idp: func(b *testidp.Behavior) { b.TokenOutage = testidp.Outage{Status: 500, AfterIssuing: true} }},
			run: func(ctx context.Context, s *stage) (Outcome, error) {
				return s.afterLoss(ctx, s.losing)
			},
		},
	}
}

// againAfterRestart exchanges a code, kills the gateway, starts it again, and exchanges
// the code once more.
func againAfterRestart(ctx context.Context, s *stage) (Outcome, error) {
	l, params, err := s.finished(ctx)
	if err != nil {
		return Outcome{}, err
	}
	if s.mode.Protection != Nothing {
		if err := s.restart(0, func(*setup) {}); err != nil {
			return Outcome{}, err
		}
	}
	return s.again(ctx, l, params.Get("code"))
}

// shares has three people open a link to one login, and exchanges all their codes.
func (s *stage) shares(ctx context.Context, own *login, link string) (Outcome, error) {
	var last Outcome
	for i := range 3 {
		b, err := s.browser(ctx, victim)
		if err != nil {
			return Outcome{}, err
		}
		v, err := b.visit(ctx, link)
		if err != nil {
			return Outcome{}, err
		}
		if last, err = s.again(ctx, own, v.last().params.Get("code")); err != nil {
			return Outcome{}, err
		}
		if i == 0 && !last.Succeeded() {
			return Outcome{}, errors.New("the first exchange failed: " + last.Detail)
		}
		if i > 0 && last.Succeeded() {
			return last, nil
		}
	}
	return last, nil
}

// finished is a completed login of the victim's, and the response that it ended with.
func (s *stage) finished(ctx context.Context) (*login, url.Values, error) {
	l := newLogin()
	v, err := s.logIn(ctx, victim, l)
	if err != nil {
		return nil, nil, err
	}
	t, err := s.finish(ctx, l, v.last().params)
	if err != nil {
		return nil, nil, err
	}
	if t.AccessToken == "" {
		return nil, nil, fmt.Errorf("an honest login was refused: %d %s %s", t.status, t.Error, t.Description)
	}
	return l, v.last().params, nil
}

// again exchanges a code that must not buy a token any more.
func (s *stage) again(ctx context.Context, l *login, code string) (Outcome, error) {
	t, err := s.exchange(ctx, s.withSecret(s.exchangeForm(l, code)))
	if err != nil {
		return Outcome{}, err
	}
	return s.theft(t), nil
}

// loadTimes logs the victim in and has the IdP's response delivered several
// times. Without a callback the codes are all the same.
func (s *stage) loadTimes(ctx context.Context, l *login, times int) ([]string, error) {
	h, err := s.logInUntilCode(ctx, victim, l)
	if err != nil {
		return nil, err
	}
	codes := make([]string, times)
	for i := range codes {
		codes[i] = h.params.Get("code")
		if s.mode.Protection == WithCallback {
			if codes[i], err = s.deliverWithState(ctx, codes[i], h.params.Get("state")); err != nil {
				return nil, err
			}
			if codes[i] == "" {
				return nil, errors.New("the callback refused an honest response")
			}
		}
	}
	return codes, nil
}

// race exchanges codes at once, of which one may buy a token.
func (s *stage) race(ctx context.Context, l *login, codes []string) (Outcome, error) {
	results := make(chan *tokens, len(codes))
	failures := make(chan error, len(codes))
	for _, code := range codes {
		go func() {
			t, err := s.exchange(ctx, s.withSecret(s.exchangeForm(l, code)))
			results <- t
			failures <- err
		}()
	}
	won := 0
	var failure error
	for range codes {
		failure = errors.Join(failure, <-failures)
		if t := <-results; t != nil && t.AccessToken != "" {
			won++
		}
	}
	switch {
	case failure != nil:
		return Outcome{}, failure
	case won == 0:
		return Outcome{}, errors.New("not even one exchange got a token")
	case won > 1:
		return succeeded("%d tokens", won), nil
	}
	return stopped(s.inFront(), "one token"), nil
}

// otherSpelling delivers a code again, each time with something else behind it.
func otherSpelling(ctx context.Context, s *stage) (Outcome, error) {
	l := newLogin()
	h, err := s.logInUntilCode(ctx, victim, l)
	if err != nil {
		return Outcome{}, err
	}
	var last Outcome
	for i, suffix := range []string{"", " ", "=", "==", "."} {
		code := h.params.Get("code") + suffix
		if s.mode.Protection == WithCallback {
			if code, err = s.deliverWithState(ctx, code, h.params.Get("state")); err != nil {
				return Outcome{}, err
			}
			if code == "" {
				last = stopped(Gateway, "the callback refused")
				continue
			}
		}
		if last, err = s.again(ctx, l, code); err != nil {
			return Outcome{}, err
		}
		switch {
		case i == 0 && !last.Succeeded():
			return Outcome{}, errors.New("the first exchange failed: " + last.Detail)
		case i > 0 && last.Succeeded():
			return last, nil
		}
	}
	return last, nil
}

// losing makes an exchange whose response does not arrive.
func (s *stage) losing(ctx context.Context, form url.Values) error {
	t, err := s.post(ctx, s.base+tokenPath, form, http.Header{"Idempotency-Key": {"k-1"}, "X-Idempotency-Key": {"k-1"}})
	if err == nil && t.AccessToken != "" {
		return errors.New("the response was not lost")
	}
	return nil
}

// holdTokens keeps exchanges waiting at the IdP until it is told to release them.
func (s *stage) holdTokens() (release func()) {
	hold := make(chan struct{})
	s.idp.Change(func(b *testidp.Behavior) { b.TokenOutage = testidp.Outage{Hold: hold} })
	return func() {
		s.idp.Change(func(b *testidp.Behavior) { b.TokenOutage = testidp.Outage{} })
		close(hold)
	}
}

// untilHeld waits until an exchange is waiting at the IdP.
func (s *stage) untilHeld(ctx context.Context) error {
	return until(ctx, func() bool { return s.idp.Held() > 0 })
}

// untilIssued waits until the IdP has issued a token, which stays on record.
func (s *stage) untilIssued(ctx context.Context) error {
	return until(ctx, func() bool { return s.idp.IssuedCount() > 0 })
}

func until(ctx context.Context, condition func() bool) error {
	for !condition() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
	return nil
}

// afterLoss makes an exchange that is lost after the IdP has issued a token, and
// then makes it again.
func (s *stage) afterLoss(ctx context.Context, lose func(context.Context, url.Values) error) (Outcome, error) {
	l := newLogin()
	v, err := s.logIn(ctx, victim, l)
	if err != nil {
		return Outcome{}, err
	}
	form := s.withSecret(s.exchangeForm(l, v.last().params.Get("code")))
	if err := lose(ctx, form); err != nil {
		return Outcome{}, err
	}
	s.idp.Change(func(b *testidp.Behavior) { b.TokenOutage = testidp.Outage{} })
	t, err := s.exchange(ctx, form)
	if err != nil {
		return Outcome{}, err
	}
	switch issued := len(s.idp.Issued()); {
	case issued == 0:
		return Outcome{}, errors.New("the IdP issued nothing that could be lost")
	case issued > 1:
		return succeeded("the IdP issued %d tokens", issued), nil
	}
	return s.refused(t), nil
}
