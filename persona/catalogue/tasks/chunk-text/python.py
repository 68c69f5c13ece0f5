# snippet:check
# snippet:doc https://docs.python.org/3/library/re.html re
# snippet:prints 0 'First paragraph.\n\nSecond one.'
# snippet:prints 18 'Second one.\n\nA third is here.'
# snippet:end
import re
from collections.abc import Iterator


def pieces(text: str, most: int) -> Iterator[tuple[int, str]]:
    """Paragraphs, and the sentences (up to . ! or ?) of those that are too long, with the place where each begins."""
    for paragraph in re.finditer(r"\S(?:.|\n(?!\s*\n))*", text):
        if len(paragraph[0]) <= most:
            yield paragraph.start(), paragraph[0]
            continue
        for sentence in re.finditer(r"\S.*?(?:[.!?](?=\s|$)|$)", paragraph[0], re.DOTALL):
            yield paragraph.start() + sentence.start(), sentence[0]


def chunks(text: str, most: int = 1200, overlap: int = 200) -> Iterator[tuple[int, str]]:
    """Start and text of each chunk. The next one begins with the last pieces that fit into the overlap.

    A sentence longer than `most` stays whole.
    """
    chunk: list[tuple[int, str]] = []
    for start, piece in pieces(text, most):
        if chunk and start + len(piece) - chunk[0][0] > most:
            end = chunk[-1][0] + len(chunk[-1][1])
            yield chunk[0][0], text[chunk[0][0]:end]
            chunk = [p for p in chunk if end - p[0] <= overlap and start + len(piece) - p[0] <= most]
        chunk.append((start, piece))
    if chunk:
        yield chunk[0][0], text[chunk[0][0]:chunk[-1][0] + len(chunk[-1][1])]
# snippet:check


text = "First paragraph.\n\nSecond one.\n\nA third is here."
for start, chunk in chunks(text, most=32, overlap=12):
    print(start, repr(chunk))
    assert text[start:].startswith(chunk)
assert list(chunks("")) == []
assert len(list(chunks("One sentence. " * 30, most=40, overlap=15))) > 10
assert [c for _, c in chunks("x" * 50 + ". End.", most=40, overlap=15)] == ["x" * 50 + ".", "End."]
