# snippet:check
# snippet:doc https://docs.python.org/3/library/html.parser.html html.parser
# snippet:prints line 2: h3 "Prices": no h2 above it, a level is skipped
# snippet:prints line 3: image without an alternative text: cat.png
# snippet:prints line 6: link says only "Click here"
# snippet:prints line 7: link says only "Here"
# snippet:prints line 8: h4 "Far": no h3 above it, a level is skipped
# snippet:end
from html.parser import HTMLParser

EMPTY_LINKS = {"", "click here", "here", "more", "read more"}


class Audit(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.findings, self.level, self.texts = [], 0, {}  # texts: of the headings and links that are open

    def report(self, finding):
        self.findings.append(f"line {self.getpos()[0]}: {finding}")

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "img":
            if "alt" not in values:  # alt="" is right for decoration
                self.report(f"image without an alternative text: {values.get('src')}")
            self.handle_data(values.get("alt") or "")
        elif tag in {"h1", "h2", "h3", "h4", "h5", "h6"} or (tag == "a" and "href" in values):
            self.texts[tag] = values.get("aria-label") or ""

    def handle_data(self, data):
        self.texts = {tag: text + data for tag, text in self.texts.items()}

    def handle_endtag(self, tag):
        if tag not in self.texts:
            return
        text = " ".join(self.texts.pop(tag).split())
        if tag == "a" and text.lower() in EMPTY_LINKS:
            self.report(f'link says only "{text}"')
        elif tag != "a":
            if int(tag[1]) > self.level + 1:
                self.report(f'{tag} "{text}": no h{self.level + 1} above it, a level is skipped')
            self.level = int(tag[1])
# snippet:check


audit = Audit()
audit.feed('<h1>Shop</h1>\n<h3>Prices</h3>\n<img src="cat.png">\n<img src="line.png" alt="">\n<a href="/">'
           '<img src="home.png" alt="Home"></a>\n<a href="/x">Click here</a>\n<h2><a href="/y">Here</a></h2>\n<h4>Far</h4>'
           '<a id="top"></a><a href="/cart" aria-label="Cart"><svg></svg></a>')
print("\n".join(audit.findings))
