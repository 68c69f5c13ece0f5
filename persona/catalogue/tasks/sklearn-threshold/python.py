# snippet:doc https://scikit-learn.org/stable/modules/classification_threshold.html Tuning the decision threshold
# snippet:about scikit-learn
# snippet:prints threshold 0.50 costs 1069
# snippet:prints threshold 0.07 costs 541
# snippet:needs scikit-learn 1.5
import numpy as np
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import TunedThresholdClassifierCV, train_test_split

MISSED, FALSE_ALARM = 20, 1  # what each error costs


def cost(truth, alarm):
    return MISSED * np.sum((truth == 1) & (alarm == 0)) + FALSE_ALARM * np.sum((truth == 0) & (alarm == 1))


X, y = make_classification(4000, weights=[0.95], class_sep=0.8, random_state=0)
X, X_test, y, y_test = train_test_split(X, y, stratify=y, random_state=0)

plain = LogisticRegression().fit(X, y)
tuned = TunedThresholdClassifierCV(LogisticRegression(), scoring=make_scorer(cost, greater_is_better=False)).fit(X, y)

# Rows that neither the model nor the threshold was chosen with.
print(f"threshold 0.50 costs {cost(y_test, plain.predict(X_test))}")
print(f"threshold {tuned.best_threshold_:.2f} costs {cost(y_test, tuned.predict(X_test))}")
