# snippet:doc https://scikit-learn.org/stable/modules/compose.html Pipelines and composite estimators
# snippet:about scikit-learn
# snippet:needs pandas
import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

prepare = make_column_transformer(
    (make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), ["age", "visits"]),
    (OneHotEncoder(handle_unknown="ignore"), ["plan"]),
)
model = make_pipeline(prepare, LogisticRegression())

train = pd.DataFrame({
    "age": [20, 30, np.nan, 50, 60, 40], "visits": [9, 8, 7, 1, 0, 2],
    "plan": ["pro", "pro", "free", "free", "free", "pro"], "stays": [1, 1, 1, 0, 0, 0],
})
model.fit(train.drop(columns="stays"), train["stays"])

new = pd.DataFrame({"age": [25, 55], "visits": [9, 0], "plan": ["pro", "team"]})  # "team" is new
print(model.predict(new))

# snippet:usage
# snippet:prints [1 0]
# snippet:check
# snippet:prints 1
print(model.predict(pd.DataFrame({"age": [None], "visits": [9.0], "plan": ["pro"]}, dtype=object).astype({"age": float}))[0])
