// snippet:check
//go:build ignore

// snippet:usage
package main

// snippet:end
// snippet:doc https://pkg.go.dev/net/mail#ParseAddress net/mail.ParseAddress
import (
	// snippet:usage
	"fmt"
	// snippet:end
	"net/mail"
	"strings"
	"unicode/utf8"
)

type SignUp struct {
	Name, Email, Password string
}

// Problems maps a field's name to what a person can do about it.
type Problems map[string]string

func (s SignUp) Validate() Problems {
	p := Problems{}
	if n := utf8.RuneCountInString(strings.TrimSpace(s.Name)); n == 0 || n > 80 {
		p["name"] = "Enter a name of at most 80 characters."
	}
	if a, err := mail.ParseAddress(s.Email); err != nil || a.Address != s.Email {
		p["email"] = "Enter an address like ada@example.com."
	}
	if utf8.RuneCountInString(s.Password) < 12 {
		p["password"] = "Use at least 12 characters."
	}
	return p
}

// snippet:usage
// snippet:prints map[email:Enter an address like ada@example.com. password:Use at least 12 characters.]
// snippet:prints map[]
func main() {
	fmt.Println(SignUp{"Ada", "Ada <ada@example.com>", "short"}.Validate())
	fmt.Println(SignUp{"Ada", "ada@example.com", "correct horse battery"}.Validate())
	// snippet:check
	// snippet:prints map[name:Enter a name of at most 80 characters.]
	fmt.Println(SignUp{" ", "ada@example.com", "correct horse battery"}.Validate())
	// snippet:usage
}
