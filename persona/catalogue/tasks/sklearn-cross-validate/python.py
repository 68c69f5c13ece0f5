# snippet:doc https://scikit-learn.org/stable/modules/cross_validation.html Cross-validation
# snippet:about scikit-learn
# snippet:needs scikit-learn 0.24
# snippet:prints DummyClassifier      0.63 ± 0.00
# snippet:prints LogisticRegression   0.98 ± 0.01
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

X, y = load_breast_cancer(return_X_y=True)
folds = StratifiedKFold(5, shuffle=True, random_state=0)  # the same folds for both

for model in (DummyClassifier(), LogisticRegression(max_iter=1000)):
    scores = cross_val_score(make_pipeline(StandardScaler(), model), X, y, cv=folds)
    print(f"{type(model).__name__:20} {scores.mean():.2f} ± {scores.std():.2f}")
