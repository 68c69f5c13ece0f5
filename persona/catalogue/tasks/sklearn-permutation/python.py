# snippet:doc https://scikit-learn.org/stable/modules/permutation_importance.html Permutation importance
# snippet:about scikit-learn
# snippet:prints speed    1.3 ± 0.1
# snippet:prints weight   0.5 ± 0.0
# snippet:prints colour   0.0 ± 0.0
import numpy as np
from sklearn.ensemble import RandomForestRegressor
from sklearn.inspection import permutation_importance
from sklearn.model_selection import train_test_split

rng = np.random.default_rng(0)
names = ["weight", "speed", "colour"]
X = rng.normal(size=(400, 3))
y = 2 * X[:, 0] + 3 * X[:, 1] + 0.1 * rng.normal(size=400)  # colour does not matter

X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
model = RandomForestRegressor(50, random_state=0).fit(X_train, y_train)

result = permutation_importance(model, X_test, y_test, n_repeats=10, random_state=0)
for i in result.importances_mean.argsort()[::-1]:
    print(f"{names[i]:8} {result.importances_mean[i]:.1f} ± {result.importances_std[i]:.1f}")
