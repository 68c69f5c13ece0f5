# snippet:doc https://docs.python.org/3/library/collections.html#collections.Counter collections.Counter
import re
from collections import Counter

text = """
The more that you read, the more things you will know;
the more that you learn, the more places you will go.
"""

# \w is a letter, a digit or _: the rest, also an apostrophe or a combining mark, stands between words.
words = re.findall(r"\w+", text.casefold())
counts = Counter(words)

for word, count in counts.most_common(4):
    print(f"{word:<6} {'*' * count} {count}")
print(len(words), "words,", len(counts), "different")
# snippet:prints the    **** 4
# snippet:prints more   **** 4
# snippet:prints you    **** 4
# snippet:prints that   ** 2
# snippet:prints 22 words, 11 different
