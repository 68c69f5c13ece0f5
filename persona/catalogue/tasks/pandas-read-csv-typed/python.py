# snippet:doc https://pandas.pydata.org/docs/reference/api/pandas.read_csv.html read_csv
# snippet:about pandas
import io

import pandas as pd

file = io.StringIO("article;price;sold\n0042;12,50;2025-03-01\n0043;n/a;2025-03-02\n0044;3,00;2025-03-02\n")

# Only an empty cell is missing: by default "NA" and "n/a" would be, too.
raw = pd.read_csv(file, sep=";", dtype=str, keep_default_na=False, na_values=[""])
# A decimal comma, and no separator of thousands.
price = pd.to_numeric(raw["price"].str.replace(",", "."), errors="coerce")
unreadable = raw.loc[price.isna() & raw["price"].notna(), "price"]

sales = raw.assign(price=price, sold=pd.to_datetime(raw["sold"], format="%Y-%m-%d"))
print(sales["article"].iloc[0], sales["price"].iloc[0])
print(f"{len(unreadable)} of {len(raw)} prices cannot be read: {unreadable.tolist()}")

# snippet:usage
# snippet:prints 0042 12.5
# snippet:prints 1 of 3 prices cannot be read: ['n/a']
# snippet:check
assert str(sales["sold"].dtype).startswith("datetime64"), sales.dtypes
