package cors

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// Any in a configuration stands for every origin.
const Any = "*"

// Origins is a set of web origins. The zero value is empty.
type Origins struct {
	any         bool
	list        []string // as browsers send them
	credentials []string // those of list that may send credentials
}

// ParseOrigins reads a configured list. It may contain [Any]. Errors say what
// to write.
func ParseOrigins(configured []string) (Origins, error) {
	var origins Origins
	for _, entry := range configured {
		if entry == Any {
			origins.any = true
			continue
		}
		origin, err := parseOrigin(entry)
		if err != nil {
			return Origins{}, fmt.Errorf("origin %q %w", entry, err)
		}
		if !slices.Contains(origins.list, origin) {
			origins.list = append(origins.list, origin)
		}
	}
	return origins, nil
}

// CheckOrigin checks one origin of a configuration.
func CheckOrigin(configured string) error {
	_, err := ParseOrigins([]string{configured})
	return err
}

// IsEmpty reports whether no origin is in the set.
func (o Origins) IsEmpty() bool { return !o.any && len(o.list) == 0 }

// HasAny reports whether the set is of every origin.
func (o Origins) HasAny() bool { return o.any }

// Union is the set of the origins in either.
func (o Origins) Union(other Origins) Origins {
	return Origins{any: o.any || other.any, list: union(o.list, other.list), credentials: union(o.credentials, other.credentials)}
}

func union(list, other []string) []string {
	list = slices.Clone(list)
	for _, origin := range other {
		if !slices.Contains(list, origin) {
			list = append(list, origin)
		}
	}
	return list
}

// WithCredentials is the set with credentials allowed for the origins that it names, for
// libraries whose every request has them (fetch's credentials: "include"). It is for
// endpoints that take neither a cookie nor a TLS client certificate for who asks:
// otherwise a script could read what is its user's.
func (o Origins) WithCredentials() Origins {
	o.credentials = o.list
	return o
}

// Of is the origin of a request if it is in the set, or else "".
func (o Origins) Of(header http.Header) string {
	if values := header["Origin"]; o.contains(values) {
		return values[0]
	}
	return ""
}

// contains reports whether the values of a request's Origin field are one
// origin of the set.
func (o Origins) contains(values []string) bool {
	return len(values) == 1 && (o.any || slices.Contains(o.list, values[0]))
}

var errForm = errors.New("must be a scheme and a host, and nothing after them, such as https://app.example.com")

// parseOrigin brings a web origin into the form that browsers send (RFC 6454
// section 6.2, WHATWG URL section 4.7): lower case, punycode, without the
// scheme's own port.
func parseOrigin(s string) (string, error) {
	u, err := url.Parse(s)
	if err != nil || u.Scheme == "" || u.Hostname() == "" {
		return "", errForm
	}
	if u.User != nil || u.Path != "" || u.RawQuery != "" || u.ForceQuery || strings.Contains(s, "#") {
		return "", fmt.Errorf("must have nothing but a scheme and a host; write %s://%s", u.Scheme, u.Host)
	}
	host, err := parseHost(u)
	if err != nil {
		return "", err
	}
	port, err := parsePort(u)
	if err != nil {
		return "", err
	}
	return u.Scheme + "://" + host + port, nil
}

func parseHost(u *url.URL) (string, error) {
	host := u.Hostname()
	switch {
	case strings.Contains(host, "*"):
		return "", fmt.Errorf("has a wildcard; list each origin, or write %s for all", Any)
	case strings.HasPrefix(u.Host, "["):
		address, err := netip.ParseAddr(host)
		if err != nil || address.Zone() != "" {
			return "", errors.New("has an invalid IPv6 address")
		}
		return "[" + address.String() + "]", nil
	case u.Scheme != "http" && u.Scheme != "https":
		return host, nil // chrome-extension, app, capacitor: browsers leave the host as it is
	}
	ascii, err := hostProfile.ToASCII(host)
	if err != nil || strings.ContainsFunc(ascii, notInHost) {
		return "", errors.New("has an invalid host name")
	}
	return ascii, nil
}

// hostProfile maps a host name to lower-case ASCII as browsers do (WHATWG URL
// section 3.3): unlike [idna.Lookup] it lets underscores pass.
var hostProfile = idna.New(idna.MapForLookup(), idna.StrictDomainName(false))

func notInHost(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || strings.ContainsRune("-._", r))
}

// parsePort is the port with its colon, empty for the scheme's own.
func parsePort(u *url.URL) (string, error) {
	if u.Port() == "" && !strings.HasSuffix(u.Host, ":") {
		return "", nil
	}
	port, err := strconv.ParseUint(u.Port(), 10, 16)
	if err != nil || port == 0 {
		return "", errors.New("has a port outside 1-65535")
	}
	if u.Scheme == "https" && port == 443 || u.Scheme == "http" && port == 80 {
		return "", nil
	}
	return ":" + strconv.FormatUint(port, 10), nil
}
