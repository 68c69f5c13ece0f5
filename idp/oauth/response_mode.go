package oauth

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
