# snippet:doc https://scikit-learn.org/stable/modules/classification_threshold.html Tuning the decision threshold
# snippet:about scikit-learn
# snippet:prints 0.5 costs 361
# snippet:prints 0.13 costs 250
import numpy as np
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict

MISSED, FALSE_ALARM = 20, 1  # what each error costs

X, y = make_classification(2000, weights=[0.95], class_sep=0.8, random_state=0)
probability = cross_val_predict(LogisticRegression(), X, y, cv=5, method="predict_proba")[:, 1]


def cost(threshold):
    alarm = probability >= threshold
    return MISSED * np.sum(~alarm & (y == 1)) + FALSE_ALARM * np.sum(alarm & (y == 0))


thresholds = np.linspace(0.01, 0.99, 99)
best = min(thresholds, key=cost)
print(f"0.5 costs {cost(0.5)}")
print(f"{best:.2f} costs {cost(best)}")
