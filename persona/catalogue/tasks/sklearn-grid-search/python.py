# snippet:doc https://scikit-learn.org/stable/modules/grid_search.html Tuning hyper-parameters
# snippet:about scikit-learn
# snippet:prints {'svc__C': 10, 'svc__gamma': 0.1}
# snippet:prints True
from sklearn.datasets import load_wine
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

X, y = load_wine(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)

search = GridSearchCV(
    make_pipeline(StandardScaler(), SVC()),
    {"svc__C": [0.1, 1, 10], "svc__gamma": [0.001, 0.01, 0.1]},
    cv=5,
)
search.fit(X_train, y_train)
print(search.best_params_)
print(search.score(X_test, y_test) > 0.95)  # once, at the very end
