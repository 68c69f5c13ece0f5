package paths

import "strings"

// pattern is a path whose segments may be *, which stands for any one, or at
// the end for one or more.
type pattern struct {
	segments []string
	// below: the pattern ended with *.
	below bool
}

func newPattern(path string) pattern {
	path, below := strings.CutSuffix(path, "/*")
	if path == "" {
		return pattern{nil, below}
	}
	return pattern{segmentsOf(path), below}
}

func segmentsOf(path string) []string {
	return strings.Split(strings.ToLower(strings.TrimPrefix(path, "/")), "/")
}

// String is the pattern as it was written, in lower case.
func (p pattern) String() string {
	text := "/" + strings.Join(p.segments, "/")
	if p.below {
		text = strings.TrimSuffix(text, "/") + "/*"
	}
	return text
}

// matches reports whether the pattern stands for a canonical path.
func (p pattern) matches(path string) bool {
	rest := strings.TrimPrefix(path, "/")
	for i, want := range p.segments {
		segment, after, more := strings.Cut(rest, "/")
		last := i == len(p.segments)-1
		if want != "*" && want != segment || more != (!last || p.below) {
			return false
		}
		rest = after
	}
	return true
}

// matchesSome reports whether the pattern stands for a path of some of the
// segments in their order.
func (p pattern) matchesSome(segments []string) bool {
	next := 0
	for i, segment := range segments {
		if next == len(p.segments) {
			return true
		}
		want := p.segments[next]
		last := next == len(p.segments)-1 && !p.below
		if want == "*" || want == segment || last && strings.HasPrefix(segment, want) && want == withoutSuffix("/" + segment)[1:] {
			next++
		}
		if next == len(p.segments) {
			return !p.below || i < len(segments)-1
		}
	}
	return false
}
