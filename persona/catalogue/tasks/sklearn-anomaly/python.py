# snippet:doc https://scikit-learn.org/stable/modules/outlier_detection.html Novelty and outlier detection
# snippet:about scikit-learn
# snippet:prints [300]
# snippet:prints [70.  10.1]
import numpy as np
from sklearn.ensemble import IsolationForest

# Temperature of a motor follows its current; the last reading is hot at little current.
rng = np.random.default_rng(0)
ampere = rng.uniform(10, 30, 300)
celsius = 20 + 2 * ampere + rng.normal(0, 1, 300)
readings = np.vstack([np.column_stack([celsius, ampere]), [70.0, 10.1]])

# The ratio of the two makes visible what belongs together.
features = np.column_stack([readings, readings[:, 0] / readings[:, 1]])
model = IsolationForest(random_state=0).fit(features)
score = model.score_samples(features)  # lower is stranger

strangest = score.argsort()[:1]
print(strangest)
print(readings[strangest[0]])
