// Package attacks is a list of attacks on logins through the gateway, each of
// which is run: against the gateway in every mode, and against the identity
// provider alone, where it has to succeed, because a refusal proves nothing
// otherwise. What succeeds against the gateway, too, says why, and who could
// stop it.
package attacks

import (
	"fmt"
	"slices"
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

	setup          setup
	only, succeeds func(Mode) bool // nil: all; none
	patient        bool
	why            string
	run            func(*env) Outcome
}

// attack is what somebody who has means does for a goal: a row of the table, for any mode.
func attack(name, means, goal string, run func(*env) Outcome) Attack {
	return Attack{Name: name, Means: means, Goal: goal, run: run}
}

// given is the attack on another setup.
func (a Attack) given(s setup) Attack { a.setup = s; return a }

// in is the attack in some modes only. One that means nothing at the IdP alone makes sure by itself
// that what it alters is accepted unaltered.
func (a Attack) in(only func(Mode) bool) Attack { a.only = only; return a }

// patiently is an attack that mostly waits; it runs beside the others.
func (a Attack) patiently() Attack { a.patient = true; return a }

// succeedsIn is one that succeeds in some modes with a gateway, too, and why.
func (a Attack) succeedsIn(modes func(Mode) bool, why string) Attack {
	a.succeeds, a.why = modes, why
	return a
}

// Applies reports whether an attack means anything in a mode.
func (a *Attack) Applies(m Mode) bool { return a.only == nil || a.only(m) }

// Surprise says how an outcome in a mode differs from what is known; "" if it does not.
func (a *Attack) Surprise(m Mode, o Outcome) string {
	switch known := m.Protection == Nothing || a.succeeds != nil && a.succeeds(m); {
	case o.Succeeded() && !known:
		return "it succeeds: " + o.Detail
	case !o.Succeeded() && known:
		return fmt.Sprintf("it is stopped by the %s: %s", o.StoppedBy, o.Detail)
	}
	return ""
}

// Chapter is the attacks of one kind of attacker.
type Chapter struct {
	Title   string
	Attacks []Attack
}

func Chapters() []Chapter {
	return []Chapter{
		{"Somebody reads the code that the client gets", clientThief()},
		{"Somebody reads the code that the IdP sends", rawThief()},
		{"Somebody wants the victim's client to use his account", injections()},
		{"Somebody begins the login elsewhere", elsewhere()},
		{"Somebody alters what passes", slices.Concat(tampering(), metadata())},
		{"Somebody makes requests in the client's name", forgeries()},
		{"Somebody uses a code twice", replays()},
		{"Somebody has a refresh token", refreshThief()},
		{"Somebody's client is one with the victim's at the IdP", sharedRegistrations()},
		{"Somebody asks for what he may not have", policies()},
		{"Somebody asks the IdP for more than the client may have", asking()},
		{"Somebody wants a token for another resource", otherResources()},
	}
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
