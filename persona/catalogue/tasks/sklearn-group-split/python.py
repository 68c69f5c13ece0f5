# snippet:doc https://scikit-learn.org/stable/modules/cross_validation.html#cross-validation-iterators-for-grouped-data Group cross-validation
# snippet:about scikit-learn
# snippet:prints random rows  1.0
# snippet:prints new persons  0.5
import numpy as np
from sklearn.model_selection import GroupKFold, KFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier

# 300 persons with 10 measurements each, and a label that has nothing to do with them.
rng = np.random.default_rng(1)
person = np.repeat(np.arange(300), 10)
X = rng.normal(size=(300, 4))[person] + 0.01 * rng.normal(size=(3000, 4))
y = rng.integers(0, 2, size=300)[person]

model = KNeighborsClassifier(1)
random_rows = cross_val_score(model, X, y, cv=KFold(5, shuffle=True, random_state=0))
new_persons = cross_val_score(model, X, y, cv=GroupKFold(5), groups=person)
print(f"random rows  {random_rows.mean():.1f}")
print(f"new persons  {new_persons.mean():.1f}")
