package idp

import (
	"errors"

	"github.com/identity-gateway/caddy-identity-gateway/idp/ledger"
)

// ledgerRetryAfter is in seconds. A full ledger has room again when its oldest
// entries expire.
const ledgerRetryAfter = "5"

// Login is what the ledger remembers of the authorization request.
func (r *AuthorizeRequest) Login() ledger.Login {
	return ledger.Login{ClientID: r.ClientID, Challenge: string(r.Challenge), RedirectURI: r.RedirectURI}
}

// Login is the login that the token request claims to complete.
func (r *TokenRequest) Login() ledger.Login {
	return ledger.Login{ClientID: r.ClientID, Challenge: string(r.Verifier.S256()), RedirectURI: r.RedirectURI}
}

// LedgerError is the response to an error of a ledger. What the ledger can't
// confirm is rejected.
func LedgerError(err error) *Error {
	switch {
	case errors.Is(err, ledger.ErrUnknown):
		return reject(InvalidGrant, "RFC 7636 section 4.6, RFC 6749 section 4.1.3",
			"no recent login with this code_verifier, client_id and redirect_uri began at this gateway; "+
				"start at /authorize here and send redirect_uri exactly as there (or leave it out at both)")
	case errors.Is(err, ledger.ErrSpent):
		return reject(InvalidGrant, "RFC 6749 section 4.1.2",
			"this code or code_verifier has been exchanged before; start a new login")
	case errors.Is(err, ledger.ErrBusy):
		return reject(InvalidGrant, "RFC 6749 section 4.1.2",
			"this code or code_verifier is being exchanged by another request")
	case errors.Is(err, ledger.ErrFull):
		return Unavailable("too many logins at the moment; try again later", ledgerRetryAfter)
	}
	return Unavailable("the gateway can't read or write its record of logins at the moment; try again later", ledgerRetryAfter)
}
