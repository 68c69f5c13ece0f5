package gatewaytoken

import "strings"

// The subjects of tokens that no user has logged in for begin with one of these. A user at the
// IdP could otherwise choose the name of a machine, or a client id that of a user (RFC 9700
// section 4.15).
const (
	clientPrefix   = "client:"
	workloadPrefix = "workload:"
)

// ClientSubject is the subject of a client that acts for itself (RFC 9068 section 2.2).
func ClientSubject(clientID string) string { return clientPrefix + clientID }

// WorkloadSubject is that of a workload, by its issuer and that one's name of it.
func WorkloadSubject(name string) string { return workloadPrefix + name }

// IsMachine reports whether a subject is a machine's. No user may have it.
func IsMachine(subject string) bool {
	return strings.HasPrefix(subject, clientPrefix) || strings.HasPrefix(subject, workloadPrefix)
}
