// Package attacks is a list of attacks on logins through the gateway, each of
// which is run: against the gateway in every mode, and against the identity
// provider alone, where it has to succeed, because a refusal proves nothing
// otherwise. What succeeds against the gateway, too, says why, and who could
// stop it.
package attacks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"syscall"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

// Party is who stops an attack.
type Party string

// The parties. Nobody is the zero value.
const (
	Nobody  Party = ""
	Gateway Party = "gateway"
	IdP     Party = "IdP"
	Client  Party = "client"
)

// Outcome is what an attack came to.
type Outcome struct {
	// StoppedBy is who stopped it; Nobody if it succeeded.
	StoppedBy Party
	// Detail says what was seen.
	Detail string
}

// Succeeded reports that nobody stopped the attack.
func (o Outcome) Succeeded() bool { return o.StoppedBy == Nobody }

func stopped(by Party, detail string, arguments ...any) Outcome {
	return Outcome{by, fmt.Sprintf(detail, arguments...)}
}

func succeeded(detail string, arguments ...any) Outcome {
	return Outcome{Nobody, fmt.Sprintf(detail, arguments...)}
}

// Attack is one row of the table.
type Attack struct {
	// Name is what the attacker does.
	Name string
	// Means is what he must have seen or be able to do, and Goal what he is after.
	Means, Goal string

	setup setup
	// only says in which modes the attack means anything; nil is all. An attack
	// that means nothing at the IdP alone makes sure by itself that what it alters
	// is accepted unaltered.
	only func(Mode) bool
	// patient is an attack that mostly waits; it runs beside the others.
	patient bool
	// succeeds says in which modes with a gateway it does, and why says why.
	succeeds func(Mode) bool
	why      string

	run func(*env) Outcome
}

// Applies reports whether an attack means anything in a mode.
func (a *Attack) Applies(m Mode) bool {
	return (a.only == nil || a.only(m)) && (!m.NetHTTP || a.NeedsCaddy() == "")
}

// Expected reports whether an attack is known to succeed in a mode.
func (a *Attack) Expected(m Mode) bool {
	return m.Protection == Nothing || a.succeeds != nil && a.succeeds(m)
}

// Chapter is the attacks of one kind of attacker.
type Chapter struct {
	Title   string
	Attacks []Attack
}

// Chapters returns all attacks.
func Chapters() []Chapter {
	return []Chapter{
		{"Somebody reads the code that the client gets", clientThief()},
		{"Somebody reads the code that the IdP sends", rawThief()},
		{"Somebody wants the victim's client to use his account", injections()},
		{"Somebody begins the login elsewhere", elsewhere()},
		{"Somebody alters what passes", tampering()},
		{"Somebody makes requests in the client's name", forgeries()},
		{"Somebody uses a code twice", replays()},
		{"Somebody has a refresh token", refreshThief()},
		{"Somebody's client is one with the victim's at the IdP", sharedRegistrations()},
		{"Somebody asks for what he may not have", policies()},
		{"Somebody asks the IdP for more than the client may have", asking()},
		{"Somebody wants a token for another resource", otherResources()},
		{"Somebody alters what the IdP says of itself", metadata()},
	}
}

// Result is the outcome of one attack in one mode.
type Result struct {
	Mode    Mode
	Attack  *Attack
	Outcome Outcome
	// Err says why the attack could not be tried, which proves nothing.
	Err error
}

// attackTimeout bounds one attack in one mode, its gateway's start included.
const attackTimeout = 3 * time.Minute

// run runs attacks in a mode. Those without wishes of their own share one gateway.
func run(ctx context.Context, mode Mode, attacks []*Attack, report func(Result)) {
	var shared *env
	defer func() {
		if shared != nil {
			_ = shared.close()
		}
	}()
	for _, a := range attacks {
		if !a.Applies(mode) || ctx.Err() != nil {
			continue
		}
		result := Result{Mode: mode, Attack: a}
		if a.setup.needsOwnEnv() {
			result.Outcome, result.Err = runAlone(ctx, mode, a)
		} else {
			if shared == nil {
				shared, result.Err = newEnv(mode, setup{})
			}
			if result.Err == nil {
				shared.reset(a.setup)
				result.Outcome, result.Err = runOn(ctx, shared, a)
			}
		}
		if errors.Is(result.Err, syscall.ECONNREFUSED) {
			// What clients connect to listens in this process all the time. On a busy machine
			// the system refused a connection nevertheless, once in some thousands.
			result.Outcome, result.Err = runAlone(ctx, mode, a)
		}
		report(result)
	}
}

// parallelModes is how many modes run at once: much of the time goes by waiting
// for codes to expire.
const parallelModes = 3

// RunAll runs attacks in modes and reports each result, one at a time, in no order.
func RunAll(ctx context.Context, modes []Mode, chapters []Chapter, report func(Result)) {
	var (
		group sync.WaitGroup
		mu    sync.Mutex
		slots = make(chan struct{}, parallelModes)
	)
	inTurn := func(r Result) {
		mu.Lock()
		defer mu.Unlock()
		report(r)
	}
	for _, mode := range modes {
		var busy []*Attack
		for _, chapter := range chapters {
			for i := range chapter.Attacks {
				if a := &chapter.Attacks[i]; a.patient {
					group.Go(func() { run(ctx, mode, []*Attack{a}, inTurn) })
				} else {
					busy = append(busy, a)
				}
			}
		}
		group.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			run(ctx, mode, busy, inTurn)
		})
	}
	group.Wait()
}

// needsOwnEnv reports whether the gateway differs from the usual one.
func (c setup) needsOwnEnv() bool {
	return c.options != "" || c.sealed != "" || c.client != "" || c.own != "" || c.site != "" || c.sharedIdPClient || c.secretWithoutCallback || c.noClients || c.nodes > 1 || c.process || c.anyHost
}

func runAlone(ctx context.Context, mode Mode, a *Attack) (outcome Outcome, err error) {
	e, err := newEnv(mode, a.setup)
	if err != nil {
		return Outcome{}, err
	}
	defer func() { err = cmp.Or(err, e.close()) }()
	return runOn(ctx, e, a)
}

func runOn(ctx context.Context, e *env, a *Attack) (outcome Outcome, err error) {
	ctx, cancel := context.WithTimeout(ctx, attackTimeout)
	defer cancel()
	e.ctx = ctx
	err = fail.Try(func() { outcome = a.run(e) })
	return outcome, err
}

// theft judges tokens that an attacker got: did he get the victim's?
func (e *env) theft(t *tokens) Outcome {
	if e.owner(t).User == victim {
		return succeeded("a token of the victim's account")
	}
	return e.refused(t)
}

// mixUp judges tokens that the victim's client got: are they of the attacker's account?
func (e *env) mixUp(t *tokens) Outcome {
	if e.owner(t).User == attacker && t.stoppedBy == Nobody {
		return succeeded("the victim's client uses the attacker's account")
	}
	return e.refused(t)
}

// refused is the outcome of an exchange without the tokens that were wanted.
func (e *env) refused(t *tokens) Outcome {
	by := t.stoppedBy
	if by == Nobody {
		by = e.inFront()
	}
	return stopped(by, "%d %s %s", t.status, t.Error, t.Description)
}

// inFront is who clients talk to.
func (e *env) inFront() Party {
	if e.mode.Protection == Nothing {
		return IdP
	}
	return Gateway
}

// Surprise says how a result differs from what is known; "" if it does not.
func (r Result) Surprise() string {
	switch known := r.Attack.Expected(r.Mode); {
	case r.Err != nil:
		return "it could not be tried: " + r.Err.Error()
	case r.Outcome.Succeeded() && !known:
		return "it succeeds: " + r.Outcome.Detail
	case !r.Outcome.Succeeded() && known:
		return fmt.Sprintf("it is stopped by the %s: %s", r.Outcome.StoppedBy, r.Outcome.Detail)
	}
	return ""
}
