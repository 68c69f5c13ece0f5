# snippet:doc https://scikit-learn.org/stable/modules/feature_extraction.html#text-feature-extraction Text feature extraction
# snippet:about scikit-learn
# snippet:needs scikit-learn 1.0
# snippet:prints billing
# snippet:prints login
# snippet:prints ['in', 'log', 'password']
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

tickets = [
    ("I was charged twice on my invoice", "billing"), ("Refund for the last invoice", "billing"),
    ("The invoice has the wrong address", "billing"), ("My password does not work", "login"),
    ("I cannot log in with my new password", "login"), ("Log in fails since the update", "login"),
]
texts, classes = zip(*tickets)

model = make_pipeline(TfidfVectorizer(), LogisticRegression()).fit(texts, classes)
print(model.predict(["Please send the invoice again"])[0])
print(model.predict(["Forgot my password"])[0])

vectorizer, linear = model[0], model[1]
strongest = linear.coef_[0].argsort()[::-1][:3]  # the words that speak most for "login"
print(sorted(str(vectorizer.get_feature_names_out()[i]) for i in strongest))
