"""Classifies snippets with Magika: the Python twin of classify.mjs, with the same lines in and out."""

import json
import sys
import time

from magika import Magika, PredictionMode

# Best guess: without it Magika says "txt" wherever it is not sure.
model = Magika(prediction_mode=PredictionMode.BEST_GUESS)
model.identify_bytes(b"int main() { return 0; }")
for line in sys.stdin:
    data = json.loads(line).encode()
    start = time.process_time_ns()
    # "dl" is the model's own prediction, before rules for short input replace it.
    result = model.identify_bytes(data)
    name = str(result.dl.label)
    if name == "undefined":
        name = str(result.output.label)
    print(json.dumps({"name": name, "micros": (time.process_time_ns() - start) / 1000}), flush=True)
