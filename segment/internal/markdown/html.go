package markdown

import "strings"

// htmlKind is the kind of an HTML block, by its number in section 4.6 of the specification. What starts and ends a block depends
// on it.
type htmlKind uint8

const (
	htmlVerbatim    htmlKind = iota + 1 // <pre, <script, <style, <textarea; ends with any of their end tags
	htmlComment                         // <!-- ... -->
	htmlInstruction                     // <? ... ?>
	htmlDeclaration                     // <!X ... >
	htmlCData                           // <![CDATA[ ... ]]>
	htmlElement                         // a tag by [isBlockElement]; ends at a blank line
	htmlAnyTag                          // any other tag that is alone on its line; ends at a blank line
)

func (k htmlKind) endsAtBlank() bool { return k >= htmlElement }

// holdsCode reports whether <pre> and <code> mean anything in a block.
func (k htmlKind) holdsCode() bool { return k == htmlVerbatim || k.endsAtBlank() }

// htmlEnds are what ends a block that neither a tag nor a blank line does.
var htmlEnds = [...]string{htmlComment: "-->", htmlInstruction: "?>", htmlDeclaration: ">", htmlCData: "]]>"}

// endsIn reports whether line ends a block of kind k.
func (k htmlKind) endsIn(line string) bool {
	if k != htmlVerbatim {
		return int(k) < len(htmlEnds) && strings.Contains(line, htmlEnds[k])
	}
	for {
		_, rest, ok := strings.Cut(line, "</")
		if !ok {
			return false
		}
		if name := tagName(rest); isVerbatimElement(name) && strings.HasPrefix(rest[len(name):], ">") {
			return true
		}
		line = rest
	}
}

// htmlBlockStart returns the kind of the HTML block that line, which starts with '<', opens; 0 if it opens none. inParagraph says
// that the line could continue a paragraph, which blocks of the last kind do not interrupt.
func htmlBlockStart(line string, inParagraph bool) htmlKind {
	if kind := htmlMarkStart(line); kind != 0 {
		return kind
	}
	rest, closing := strings.CutPrefix(line[1:], "/")
	name := tagName(rest)
	after := rest[len(name):]
	bounded := after == "" || isSpace(after[0]) || after[0] == '>'
	switch {
	case name == "":
		return 0
	case isVerbatimElement(name):
		if !closing && bounded {
			return htmlVerbatim
		}
		if !closing {
			return 0
		}
	case isBlockElement(name) && (bounded || strings.HasPrefix(after, "/>")):
		return htmlElement
	}
	if inParagraph {
		return 0
	}
	if t := parseTag(line); t.length > 0 && isBlank(line[t.length:]) {
		return htmlAnyTag
	}
	return 0
}

// htmlMarkStart is the kind of an HTML block that begins with another mark than a tag.
func htmlMarkStart(line string) htmlKind {
	switch rest := line[1:]; {
	case strings.HasPrefix(rest, "!--"):
		return htmlComment
	case strings.HasPrefix(rest, "?"):
		return htmlInstruction
	case strings.HasPrefix(rest, "![CDATA["):
		return htmlCData
	case len(rest) > 1 && rest[0] == '!' && isLetter(rest[1]):
		return htmlDeclaration
	}
	return 0
}

func isVerbatimElement(name string) bool {
	for _, element := range [...]string{"pre", "script", "style", "textarea"} {
		if strings.EqualFold(name, element) {
			return true
		}
	}
	return false
}

// isBlockElement reports whether name is one of the elements that start an HTML block of the sixth kind.
func isBlockElement(name string) bool {
	var lower [len("blockquote")]byte
	if len(name) > len(lower) {
		return false
	}
	for i := range len(name) {
		lower[i] = name[i] | 0x20
	}
	switch string(lower[:len(name)]) {
	case "address", "article", "aside", "base", "basefont", "blockquote", "body",
		"caption", "center", "col", "colgroup", "dd", "details", "dialog", "dir",
		"div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form",
		"frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header",
		"hr", "html", "iframe", "legend", "li", "link", "main", "menu",
		"menuitem", "nav", "noframes", "ol", "optgroup", "option", "p", "param",
		"search", "section", "summary", "table", "tbody", "td", "tfoot", "th",
		"thead", "title", "tr", "track", "ul":
		return true
	}
	return false
}
