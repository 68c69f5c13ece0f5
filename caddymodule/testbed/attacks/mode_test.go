package attacks

// Mode is what an attack runs against.
type Mode struct {
	Protection Protection
	// VerifiesPKCE says that the IdP holds a code to the challenge that came with
	// its login. Otherwise it ignores challenges and verifiers.
	VerifiesPKCE bool
	// Confidential says that the IdP wants a client secret: from the gateway
	// where it has a callback, from the client otherwise.
	Confidential bool
}

// Protection is what stands in front of the IdP.
type Protection int

const (
	// Nothing: clients talk to the IdP itself.
	Nothing Protection = iota
	// WithoutCallback is the gateway whose clients' redirect URIs are registered
	// at the IdP.
	WithoutCallback
	// WithCallback is the gateway that is the redirect target itself and seals codes.
	WithCallback
)

// Modes returns every mode in the order of the table. The first is the IdP alone,
// which checks nothing.
func Modes() []Mode {
	modes := []Mode{{}}
	for _, protection := range []Protection{WithCallback, WithoutCallback} {
		for _, verifiesPKCE := range []bool{false, true} {
			for _, confidential := range []bool{false, true} {
				modes = append(modes, Mode{Protection: protection, VerifiesPKCE: verifiesPKCE, Confidential: confidential})
			}
		}
	}
	return modes
}

func (m Mode) String() string {
	if m.Protection == Nothing {
		return "the IdP alone"
	}
	name := "without callback"
	if m.Protection == WithCallback {
		name = "with callback"
	}
	if m.VerifiesPKCE {
		name += ", the IdP verifies PKCE"
	} else {
		name += ", the IdP ignores PKCE"
	}
	if m.Confidential {
		return name + ", confidential client"
	}
	return name + ", public client"
}

const onlyIdP = "Only the IdP can tell without `callback`."

// Modes in which an attack means anything, or succeeds.
func always(Mode) bool                 { return true }
func anyGateway(m Mode) bool           { return m.Protection != Nothing }
func withCallback(m Mode) bool         { return m.Protection == WithCallback }
func confidentialCallback(m Mode) bool { return withCallback(m) && m.Confidential }
func noCallback(m Mode) bool           { return m.Protection == WithoutCallback }
func noCallbackPublic(m Mode) bool     { return noCallback(m) && publicOnly(m) }
func publicOnly(m Mode) bool           { return !m.Confidential }
func callbackOrPublic(m Mode) bool     { return withCallback(m) || publicOnly(m) }
func noCallbackIgnored(m Mode) bool    { return noCallback(m) && ignoresPKCE(m) }
func ignoresPKCE(m Mode) bool          { return !m.VerifiesPKCE }

// unboundCode is where nothing binds a code, and nobody needs a secret for it.
func unboundCode(m Mode) bool { return noCallbackPublic(m) && ignoresPKCE(m) }
