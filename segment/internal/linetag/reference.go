package linetag

import "strings"

// reference finds what begins at b[i] if it stands for somebody or something and its letters say nothing of the line: a
// mention or an emoji of a chat (<@427>, <:name:115>, :name:, :-)), a link, a telephone number. It returns where that ends, and
// its shape; end is i if there is none. spaced says that white space, or nothing, stands before b[i].
func reference(b string, i int, spaced bool) (end int, shape uint32) {
	end = i
	switch c := b[i]; {
	case c == '<':
		return tagged(b, i)
	case (c == ':' || c == ';') && spaced:
		end, shape = emoticon(b, i), shapeEmoji
	case c == 'h' || c == 'w':
		if rest := b[i:]; strings.HasPrefix(rest, "https://") || strings.HasPrefix(rest, "http://") || strings.HasPrefix(rest, "www.") {
			end, shape = i+linkLength(rest), shapeLink
		}
	case c == '+' && spaced:
		end, shape = i+phoneLength(b[i:]), shapePhone
	case c == 0xF0:
		end, shape = emoji(b, i), shapeEmoji
	}
	if end == i {
		shape = shapeNone
	}
	return end, shape
}

// emoticon returns where the emoji in letters that begins at b[i] ends, :name: or :-); i if there is none.
func emoticon(b string, i int) int {
	if end := shortcode(b, i); end > i && (end == len(b) || class[b[end]]&(wordByte|digit) == 0) {
		return end
	}
	return face(b, i)
}

// emoji returns where the run of emoji that begins at b[i] ends; i if there is none.
func emoji(b string, i int) int {
	for i+4 <= len(b) && b[i] == 0xF0 && b[i+1] == 0x9F {
		i += 4
		for _, joint := range []string{"\uFE0F", "\u200D"} { // variation selector, joiner
			if strings.HasPrefix(b[i:], joint) {
				i += len(joint)
			}
		}
	}
	return i
}

// tagged finds a reference in angle brackets, as Discord and Slack write them: <@427>, <@&427>, <#427>, <t:427:R>,
// <:name:115>, <a:name:115>, <https://example.com>.
func tagged(b string, i int) (end int, shape uint32) {
	const most = 64 // bytes of a mention
	rest := b[i:min(len(b), i+most)]
	n := strings.IndexByte(rest, '>') + 1
	if n < 4 {
		if strings.HasPrefix(rest, "<http") && linkLength(b[i+1:]) > 8 {
			return i + 1 + linkLength(b[i+1:]), shapeLink
		}
		return i, 0
	}
	body := rest[1 : n-1]
	switch {
	case isMention(body):
		return i + n, shapeMention
	case body[0] == ':' || strings.HasPrefix(body, "a:"):
		name := strings.TrimPrefix(body, "a")
		if end := shortcode(name, 0); end > 0 && (end == len(name) || class[name[end]] == digit) {
			return i + n, shapeEmoji
		}
	case strings.HasPrefix(body, "http://") || strings.HasPrefix(body, "https://"):
		return i + n, shapeLink
	}
	return i, 0
}

// isMention reports whether what stands between angle brackets, two bytes at least, names somebody, a place or a time.
func isMention(body string) bool {
	if body[0] == '@' || body[0] == '#' {
		return class[body[len(body)-1]] != space && !strings.ContainsAny(body, " \"'()<")
	}
	return len(body) > 2 && body[:2] == "t:" && class[body[2]] == digit
}

// shortcode returns where the emoji :name: that begins at b[i] ends; i if there is none.
func shortcode(b string, i int) int {
	if b[i] != ':' {
		return i
	}
	for end := i + 1; end < len(b) && end < i+34; end++ {
		switch c := b[end]; {
		case c == ':' && end > i+1:
			return end + 1
		case class[c]&(lower|upper|digit|underscore) == 0 && c != '+' && c != '-':
			return i
		}
	}
	return i
}

// face returns where the face :-), with or without its nose, that begins at b[i] ends; i if there is none.
func face(b string, i int) int {
	end := i + 1
	if end < len(b) && (b[end] == '-' || b[end] == '\'') {
		end++
	}
	mouth := end
	for end < len(b) && strings.IndexByte("()DPpOo/|", b[end]) >= 0 {
		end++
	}
	if end == mouth || end < len(b) && class[b[end]] != space {
		return i
	}
	return end
}

// linkLength is the number of bytes of the link that b begins with.
func linkLength(b string) int {
	for i := range len(b) {
		if class[b[i]] == space || strings.IndexByte("\"'`<>()[]{}|\\", b[i]) >= 0 {
			return i
		}
	}
	return len(b)
}

// phoneLength is the number of bytes of the international telephone number (ITU-T E.164, groups apart) that b begins with;
// 0 if there is none.
func phoneLength(b string) int {
	digits, groups, end := 0, 0, 0
	for i := 1; i < len(b); i++ {
		switch c := b[i]; {
		case class[c] == digit:
			digits++
			end = i + 1
			if class[b[i-1]] != digit {
				groups++
			}
			continue
		case (c == ' ' || c == '-' || c == '.' || c == '/' || c == '(' || c == ')') && i-end < 2:
			continue
		}
		break
	}
	if digits < 7 || digits > 15 || groups < 2 || class[b[1]] != digit {
		return 0
	}
	return end
}
