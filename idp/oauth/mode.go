package oauth

import "fmt"

// Mode says whether clients use an extension that the server offers: pushed or signed requests,
// proofs of a key.
type Mode string

const (
	// Off takes no use of it. It is the default.
	Off Mode = ""
	// Optional takes those who use it and others.
	Optional Mode = "optional"
	// Required takes no others.
	Required Mode = "required"
)

// Check rejects what is none of these, as the value of an option.
func (m Mode) Check(option string) error {
	switch m {
	case Off, Optional, Required:
		return nil
	}
	return fmt.Errorf("%s %s is unknown; use %s or %s", option, m, Optional, Required)
}

// ResponseMode is how the authorization response travels to the client (OAuth 2.0
// Multiple Response Type Encoding Practices section 2.1).
type ResponseMode string

// The response modes. The zero value is the response type's default, query.
const (
	QueryMode      ResponseMode = "query"
	FragmentMode   ResponseMode = "fragment"
	FormPostMode   ResponseMode = "form_post"
	WebMessageMode ResponseMode = "web_message"
)
