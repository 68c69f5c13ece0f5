# snippet:doc https://docs.python.org/3/library/collections.html#collections.Counter collections.Counter
from collections import Counter

truth = ["spam", "ham", "spam", "ham", "ham", "spam", "ham", "ham", "news", "news"]
guess = ["spam", "ham", "ham", "ham", "spam", "spam", "ham", "ham", "news", "ham"]

cells = Counter(zip(truth, guess, strict=True))
labels = sorted(set(truth) | set(guess))

print(f"{'':>6}", *(f"{label:>6}" for label in labels), "  (columns: guessed)")
for actual in labels:
    print(f"{actual:>6}", *(f"{cells[actual, label]:>6}" for label in labels))

for label in labels:
    hits = cells[label, label]
    guessed = sum(cells[actual, label] for actual in labels)
    present = sum(cells[label, other] for other in labels)
    # Precision: can its alarms be trusted? Recall: how many did it find?
    precision = hits / guessed if guessed else float("nan")  # it never guessed this label
    recall = hits / present if present else float("nan")
    print(f"{label}: precision {precision:.2f}, recall {recall:.2f}")
# snippet:prints           ham   news   spam   (columns: guessed)
# snippet:prints    ham      4      0      1
# snippet:prints   news      1      1      0
# snippet:prints   spam      1      0      2
# snippet:prints ham: precision 0.67, recall 0.80
# snippet:prints news: precision 1.00, recall 0.50
# snippet:prints spam: precision 0.67, recall 0.67
