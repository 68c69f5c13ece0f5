package smuggling

import (
	"slices"
	"strconv"
	"strings"
)

// request is one request as a server reads it.
type request struct {
	method, target, host, authorization, user, body string
}

// dialect is how a server reads HTTP/1.1. The zero value reads by RFC 9112 alone and
// stops at what is not of it; each field is something that some server does, or did.
type dialect struct {
	name string
	// broken: it misreads what RFC 9112 says plainly, so that nothing in front of it helps.
	broken bool
	// Lines end with a line feed alone, or with a carriage return alone.
	bareLF, bareCR bool
	// A line that begins with white space continues the one before (obsolete), or
	// is dropped, or is a field of its own.
	folds, dropsFolds, fieldsFolded bool
	// White space before the colon of a field is dropped; control characters in a
	// name or value are; what follows a NUL is cut off.
	trimsNames, dropsControls, cutsAtNUL bool
	// A length beside chunks counts instead of them, as in servers that do not know chunks.
	lengthWins bool
	// chunks says whether values of Transfer-Encoding mean chunks.
	chunks func([]string) bool
	// length reads the values of Content-Length.
	length func([]string) (int, bool)
	// chunkSize reads the line before a chunk.
	chunkSize func(string) (int, bool)
	// Anything ends the data of a chunk, two bytes long; a line feed alone ends its size.
	anyChunkEnd, chunkLF bool
	// A request with GET has no body.
	noBodyOfGet bool
	// Trailer fields are fields.
	mergesTrailers bool
	// The host of an absolute target counts; the last of several Host fields does.
	hostOfTarget, lastHost bool
	// A request line without a version is a request (HTTP/0.9); the target ends at the
	// first white space, or begins after the last method-like word.
	version09, firstTarget, lastTarget bool
	// A body that was promised (Expect) is not read with the request.
	ignoresExpected bool
	// An upgrade is accepted: what follows are requests that nobody in front reads.
	upgrades bool
}

func strictChunks(values []string) bool {
	return len(values) == 1 && strings.EqualFold(strings.Trim(values[0], " \t"), "chunked")
}

func strictLength(values []string) (int, bool) {
	if len(values) != 1 || values[0] == "" || strings.Trim(values[0], "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(values[0])
	if err != nil {
		return 0, false
	}
	return n, true
}

func strictChunkSize(line string) (int, bool) {
	size, _, _ := strings.Cut(line, ";")
	if size == "" || strings.Trim(size, "0123456789abcdefABCDEF") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(size, 16, 32)
	if err != nil {
		return 0, false
	}
	return int(n), true
}

// scanned is strconv.ParseInt for as long as there are digits, as scanf does.
func scanned(s string, base int) (int, bool) {
	s = strings.TrimLeft(s, " \t\v\f")
	for end := len(s); end > 0; end-- {
		if n, err := strconv.ParseInt(s[:end], base, 64); err == nil {
			return max(int(n), 0), true
		}
	}
	return 0, false
}

// dialects are the strict reading, and what differs from it in one respect each.
func dialects() []dialect {
	anyOf := func(match func(string) bool) func([]string) bool {
		return func(values []string) bool { return slices.ContainsFunc(values, match) }
	}
	wrapped := func(bits int) func(string) (int, bool) {
		return func(line string) (int, bool) {
			size, _, _ := strings.Cut(line, ";")
			n := uint64(0)
			for _, c := range strings.ToLower(size) {
				digit := strings.IndexRune("0123456789abcdef", c)
				if digit < 0 {
					return 0, false
				}
				n = n<<4 | uint64(digit)
			}
			return int(n << (64 - bits) >> (64 - bits)), size != "" // wraps, as such servers do
		}
	}
	list := []dialect{
		{name: "reads by the RFC"},
		{name: "lets a length win over chunks", lengthWins: true},
		{name: "knows no chunks", broken: true, chunks: func([]string) bool { return false }},
		{name: "takes anything with chunked in it for chunks", chunks: anyOf(func(v string) bool { return strings.Contains(strings.ToLower(v), "chunked") })},
		{name: "wants chunked first", chunks: anyOf(func(v string) bool { return strings.HasPrefix(strings.ToLower(v), "chunked") })},
		{name: "wants chunked last", chunks: func(v []string) bool {
			return len(v) > 0 && strings.HasSuffix(strings.ToLower(strings.TrimSpace(v[len(v)-1])), "chunked")
		}},
		{name: "folds no case", chunks: func(v []string) bool { return len(v) == 1 && v[0] == "chunked" }},
		{name: "trims control characters", chunks: anyOf(func(v string) bool { return strings.EqualFold(strings.Trim(v, " \t\v\f\x00"), "chunked") })},
		{name: "ends lines with LF", bareLF: true, chunkLF: true},
		{name: "ends lines with CR", bareCR: true},
		{name: "joins folded lines", folds: true},
		{name: "drops folded lines", dropsFolds: true},
		{name: "reads folded lines as fields", fieldsFolded: true},
		{name: "drops white space before the colon", trimsNames: true},
		{name: "drops control characters", dropsControls: true},
		{name: "cuts at NUL", cutsAtNUL: true},
		{name: "takes the first length", length: func(v []string) (int, bool) { return scanned(strings.Split(v[0], ",")[0], 10) }},
		{name: "takes the last length", length: func(v []string) (int, bool) {
			parts := strings.Split(v[len(v)-1], ",")
			return scanned(parts[len(parts)-1], 10)
		}},
		{name: "takes hexadecimal lengths", length: func(v []string) (int, bool) { return scanned(v[0], 0) }},
		{name: "takes a bad length for none", length: func(v []string) (int, bool) {
			n, _ := strictLength(v)
			return n, true
		}},
		{name: "wraps lengths", length: func(v []string) (int, bool) {
			n := uint64(0)
			for _, c := range v[0] {
				if c < '0' || c > '9' {
					return 0, false
				}
				n = n*10 + uint64(c-'0')
			}
			return int(n), true // wraps, as such servers do
		}},
		{name: "scans chunk sizes", chunkSize: func(line string) (int, bool) { return scanned(line, 16) }},
		{name: "takes 0x in chunk sizes", chunkSize: func(line string) (int, bool) { return scanned(strings.TrimPrefix(line, "0x"), 16) }},
		{name: "wraps chunk sizes at 32 bits", chunkSize: wrapped(32)},
		{name: "wraps chunk sizes at 64 bits", chunkSize: wrapped(64)},
		{name: "takes a bad chunk size for the end", chunkSize: func(line string) (int, bool) {
			n, _ := strictChunkSize(line)
			return n, true
		}},
		{name: "ends chunk extensions with LF", chunkLF: true},
		{name: "takes any two bytes after a chunk", anyChunkEnd: true},
		{name: "reads no body of a GET", broken: true, noBodyOfGet: true},
		{name: "reads trailers as fields", mergesTrailers: true},
		{name: "takes the host of the target", hostOfTarget: true},
		{name: "takes the last Host", lastHost: true},
		{name: "speaks HTTP/0.9", version09: true},
		{name: "ends the target at a space", firstTarget: true},
		{name: "begins the target after the last space", lastTarget: true},
		{name: "does not wait for what was promised", broken: true, ignoresExpected: true},
		{name: "changes protocols", upgrades: true},
	}
	for i := range list {
		d := &list[i]
		if d.chunks == nil {
			d.chunks = strictChunks
		}
		if d.length == nil {
			d.length = strictLength
		}
		if d.chunkSize == nil {
			d.chunkSize = strictChunkSize
		}
	}
	return list
}

// read is what a server with this dialect reads in a stream. complete is false if it
// would refuse the stream somewhere, or wait for more.
func (d *dialect) read(stream string) (requests []request, complete bool) {
	for stream != "" {
		var r request
		var ok bool
		if r, stream, ok = d.readOne(stream); !ok {
			return requests, false
		}
		requests = append(requests, r)
	}
	return requests, true
}

// line cuts the first line off.
func (d *dialect) line(s string) (line, rest string, ok bool) {
	for i := range len(s) {
		switch {
		case s[i] == '\r' && i+1 < len(s) && s[i+1] == '\n':
			return s[:i], s[i+2:], true
		case s[i] == '\n' && d.bareLF, s[i] == '\r' && d.bareCR:
			return s[:i], s[i+1:], true
		}
	}
	return "", s, false
}

func (d *dialect) readOne(s string) (r request, rest string, ok bool) {
	line, s, ok := d.line(s)
	if !ok {
		return r, s, false
	}
	var http09 bool
	if r.method, r.target, http09, ok = d.requestLine(line); !ok {
		return r, s, false
	}
	if http09 {
		return r, s, true
	}
	fields := make(map[string][]string)
	if s, ok = d.fields(s, fields); !ok {
		return r, s, false
	}
	hosts := fields["host"]
	switch {
	case len(hosts) > 1 && d.lastHost:
		r.host = hosts[len(hosts)-1]
	case len(hosts) == 1, len(hosts) > 1 && d.name != "reads by the RFC":
		r.host = hosts[0]
	case len(hosts) > 1:
		return r, s, false
	}
	if _, absolute, ok := strings.Cut(r.target, "://"); ok {
		host, path, _ := strings.Cut(absolute, "/")
		if d.hostOfTarget {
			r.host = host
		}
		r.target = "/" + path
	}
	if len(fields["upgrade"]) > 0 && d.upgrades {
		r.read(fields)
		r.body = tunnel
		return r, "", true
	}
	if r.body, s, ok = d.body(&r, fields, s); !ok {
		return r, s, false
	}
	r.read(fields) // with those of the trailer, if they count
	return r, s, true
}

// read takes from the fields who asks.
func (r *request) read(fields map[string][]string) {
	r.authorization = strings.Join(fields["authorization"], ", ")
	r.user = strings.Join(fields["x-user"], ", ")
}

func (d *dialect) requestLine(line string) (method, target string, http09, ok bool) {
	words := strings.Split(line, " ")
	switch {
	case len(words) == 2 && d.version09:
		return words[0], words[1], true, true
	case len(words) > 3 && d.firstTarget:
		return words[0], words[1], false, true
	case len(words) > 3 && d.lastTarget:
		return words[0], words[len(words)-2], false, true
	case len(words) != 3 || !strings.HasPrefix(words[2], "HTTP/1."):
		return "", "", false, false
	}
	return words[0], words[1], false, true
}

// fields reads header or trailer fields up to an empty line.
func (d *dialect) fields(s string, fields map[string][]string) (rest string, ok bool) {
	previous := ""
	for {
		var line string
		if line, s, ok = d.line(s); !ok {
			return s, false
		}
		if line == "" {
			return s, true
		}
		if d.dropsControls {
			line = strings.Map(func(c rune) rune {
				if c < ' ' && c != '\t' {
					return -1
				}
				return c
			}, line)
		}
		if line[0] == ' ' || line[0] == '\t' {
			switch {
			case d.dropsFolds:
				continue
			case d.folds && previous != "":
				values := fields[previous]
				values[len(values)-1] = strings.TrimSpace(values[len(values)-1] + " " + strings.TrimSpace(line))
				continue
			case d.fieldsFolded:
				line = strings.TrimLeft(line, " \t")
			default:
				return s, false
			}
		}
		if d.cutsAtNUL {
			line, _, _ = strings.Cut(line, "\x00")
		}
		name, value, found := strings.Cut(line, ":")
		if !found {
			return s, false
		}
		if d.trimsNames {
			name = strings.TrimRight(name, " \t")
		}
		previous = strings.ToLower(name)
		fields[previous] = append(fields[previous], strings.Trim(value, " \t"))
	}
}

func (d *dialect) body(r *request, fields map[string][]string, s string) (body, rest string, ok bool) {
	if d.noBodyOfGet && r.method == "GET" || d.ignoresExpected && len(fields["expect"]) > 0 {
		return "", s, true
	}
	encodings, lengths := fields["transfer-encoding"], fields["content-length"]
	if len(encodings) > 0 && d.chunks(encodings) && (len(lengths) == 0 || !d.lengthWins) {
		return d.chunked(fields, s)
	}
	if len(lengths) == 0 {
		return "", s, true
	}
	n, ok := d.length(lengths)
	if !ok || n < 0 || n > len(s) {
		return "", s, false
	}
	return s[:n], s[n:], true
}

func (d *dialect) chunked(fields map[string][]string, s string) (body, rest string, ok bool) {
	var whole strings.Builder
	lines := *d
	lines.bareLF = d.bareLF || d.chunkLF
	for {
		var line string
		if line, s, ok = lines.line(s); !ok {
			return "", s, false
		}
		size, ok := d.chunkSize(line)
		if !ok || size < 0 || size > len(s) {
			return "", s, false
		}
		if size == 0 {
			trailers := make(map[string][]string)
			if d.mergesTrailers {
				trailers = fields
			}
			s, ok = d.fields(s, trailers)
			return whole.String(), s, ok
		}
		whole.WriteString(s[:size])
		s = s[size:]
		switch {
		case d.anyChunkEnd && len(s) >= 2:
			s = s[2:]
		case strings.HasPrefix(s, "\r\n"):
			s = s[2:]
		case d.bareLF && strings.HasPrefix(s, "\n"):
			s = s[1:]
		default:
			return "", s, false
		}
	}
}
