//go:build !linux

package loadtest

// Memory is the resident set of the server, in bytes. It is 0 here: it is read
// on Linux only.
func (s *Server) Memory() (uint64, error) { return 0, nil }
