# snippet:check
# snippet:doc https://docs.python.org/3/library/html.parser.html html.parser
# snippet:prints line 2: h3 "Prices" follows h1: a level is skipped
# snippet:prints line 3: image without an alternative text: cat.png
# snippet:prints line 6: link says only "Click here"
# snippet:end
from html.parser import HTMLParser

EMPTY_LINKS = {"", "click here", "here", "more", "read more"}


class Audit(HTMLParser):
    """Collects what a screen reader stumbles over."""

    def __init__(self) -> None:
        super().__init__()
        self.findings: list[str] = []
        self.level = 0
        self.inside, self.text = None, ""  # a heading or a link whose text is collected

    def handle_starttag(self, tag, attributes):
        if tag == "img":
            if "alt" not in (image := dict(attributes)):  # alt="" is right for decoration
                self.report(f"image without an alternative text: {image.get('src')}")
            self.text += image.get("alt") or ""
        elif tag == "a" or tag in {"h1", "h2", "h3", "h4", "h5", "h6"}:
            self.inside, self.text = tag, ""

    def handle_data(self, data):
        self.text += data

    def handle_endtag(self, tag):
        if tag != self.inside:
            return
        self.inside, text = None, " ".join(self.text.split())
        if tag == "a" and text.lower() in EMPTY_LINKS:
            self.report(f'link says only "{text}"')
        elif tag != "a":
            if int(tag[1]) > self.level + 1:
                self.report(f'{tag} "{text}" follows h{self.level}: a level is skipped')
            self.level = int(tag[1])
# snippet:check

    def report(self, text):
        self.findings.append(f"line {self.getpos()[0]}: {text}")


audit = Audit()
audit.feed('<h1>Shop</h1>\n<h3>Prices</h3>\n<img src="cat.png">\n<img src="line.png" alt="">\n<a href="/">'
           '<img src="home.png" alt="Home"></a>\n<a href="/x">Click here</a>')
print("\n".join(audit.findings))
