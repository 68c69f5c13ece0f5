// Package paths says which paths a server behind the gateway could take for one that is protected, in
// whatever spelling (RFC 3986 section 6.2).
//
// # Files
//
//	confusion.go: spellings of a path, and fields that replace it; how long one may be
//	denied.go: deny_path, and the lists of IdPs that it has by name
//	public.go: paths that need no token
//	pattern.go: what * stands for
//	own.go: the gateway's own paths
package paths
