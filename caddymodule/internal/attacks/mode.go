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
				modes = append(modes, Mode{protection, verifiesPKCE, confidential})
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
