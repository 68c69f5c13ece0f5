# snippet:doc https://pandas.pydata.org/docs/user_guide/groupby.html#named-aggregation Named aggregation
# snippet:about pandas
# snippet:prints         orders  revenue  biggest
# snippet:prints region
# snippet:prints north        2     70.0     50.0
# snippet:prints NaN          1     30.0     30.0
# snippet:prints south        1     10.0     10.0
import pandas as pd

orders = pd.DataFrame({
    "region": ["north", "south", "north", None],
    "amount": [20.0, 10.0, 50.0, 30.0],
})

summary = (
    orders.groupby("region", dropna=False)
    .agg(orders=("amount", "size"), revenue=("amount", "sum"), biggest=("amount", "max"))
    .sort_values("revenue", ascending=False)
)
print(summary)
