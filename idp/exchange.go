package idp

import (
	"errors"

	"github.com/identity-gateway/caddy-identity-gateway/idp/ledger"
)

// ledgerRetryAfter is in seconds: a full ledger has room again as its oldest
// entries expire, a failing storage as its operator sees to it.
const ledgerRetryAfter = "5"

// Login is what the ledger remembers of the authorization request.
func (r *AuthorizeRequest) Login() ledger.Login {
	return ledger.Login{ClientID: r.ClientID, Challenge: string(r.Challenge), RedirectURI: r.RedirectURI}
}

// Login is the login to which the exchange claims to belong.
func (r *TokenRequest) Login() ledger.Login {
	return ledger.Login{ClientID: r.ClientID, Challenge: string(r.Verifier.S256()), RedirectURI: r.RedirectURI}
}

// RefuseLedger is the refusal that belongs to an error of a ledger. Whatever
// the ledger can't confirm is refused.
func RefuseLedger(err error) *Error {
	switch {
	case errors.Is(err, ledger.ErrUnknown):
		return refuse(InvalidGrant, "RFC 7636 section 4.6, RFC 6749 section 4.1.3",
			"no recent login with this code_verifier, client_id and redirect_uri began at this gateway; "+
				"start at /authorize here and send redirect_uri exactly as there (or leave it out at both)")
	case errors.Is(err, ledger.ErrSpent):
		return refuse(InvalidGrant, "RFC 6749 section 4.1.2",
			"this code or code_verifier has been exchanged before; start a new login")
	case errors.Is(err, ledger.ErrBusy):
		return refuse(InvalidGrant, "RFC 6749 section 4.1.2",
			"this code or code_verifier is being exchanged by another request")
	}
	fault := Unavailable("the gateway can't keep its record of logins at the moment; try again later", ledgerRetryAfter)
	if errors.Is(err, ledger.ErrFull) {
		fault.Description = "too many logins at the moment; try again later"
	}
	return fault
}
