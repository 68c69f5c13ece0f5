# snippet:doc https://pandas.pydata.org/docs/user_guide/scale.html Scaling to large datasets
# snippet:about pandas
# snippet:needs pandas 2.0
# snippet:into Give it a file rides.csv with the columns city and minutes.
# snippet:check
from pathlib import Path
Path("rides.csv").write_text("city,minutes,note\n" + "".join(f"{'Oslo' if i % 4 else 'Bergen'},{i % 10},x\n" for i in range(10_000)))
# snippet:prints         rides  mean
# snippet:prints city
# snippet:prints Bergen   2500  4.00
# snippet:prints Oslo     7500  4.67
# snippet:end
import pandas as pd

parts = []
reader = pd.read_csv("rides.csv", usecols=["city", "minutes"], dtype={"city": "category"}, chunksize=3_000)
for chunk in reader:
    parts.append(chunk.groupby("city", observed=True, dropna=False)["minutes"].agg(["size", "count", "sum"]))

# Sums and counts can be added across chunks; means and medians cannot.
total = pd.concat(parts).groupby(level=0, observed=True, dropna=False).sum()
report = pd.DataFrame({"rides": total["size"], "mean": (total["sum"] / total["count"]).round(2)})
print(report)

# snippet:check
assert len(parts) == 4
