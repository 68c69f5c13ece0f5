# snippet:doc https://pandas.pydata.org/docs/reference/api/pandas.DataFrame.merge.html DataFrame.merge
# snippet:about pandas
import pandas as pd

orders = pd.DataFrame({"order": [1, 2, 3], "customer": ["ada", "bob", "eve"]})
customers = pd.DataFrame({"customer": ["ada", "bob"], "country": ["UK", "US"]})

# Two missing keys count as equal: no customer may be without one.
joined = orders.merge(customers, on="customer", how="left", validate="many_to_one", indicator=True)
orphans = joined.loc[joined["_merge"] == "left_only", "order"]
print("orders without a customer:", orphans.tolist())
print(len(joined))

# snippet:usage
# snippet:prints orders without a customer: [3]
# snippet:prints 3
# snippet:check
twice = pd.concat([customers, customers.head(1)])
try:
    orders.merge(twice, on="customer", how="left", validate="many_to_one")
except pd.errors.MergeError:
    pass
else:
    raise AssertionError("a doubled key was joined")
