# snippet:doc https://pandas.pydata.org/docs/reference/api/pandas.DataFrame.assign.html DataFrame.assign
# snippet:about pandas
import pandas as pd

raw = pd.DataFrame({"Name": ["Ada ", "Bob", "Clara"], "Height cm": [165, 180, 170], "Weight kg": [60, None, 70]})

result = (
    raw.rename(columns=lambda c: c.lower().replace(" ", "_"))
    .dropna(subset=["weight_kg"])
    .assign(
        name=lambda t: t["name"].str.strip().str.lower(),
        height_m=lambda t: t["height_cm"] / 100,
        bmi=lambda t: (t["weight_kg"] / t["height_m"] ** 2).round(2),  # height_m is there already
    )
    .loc[:, ["name", "bmi"]]
)
print(result)

# snippet:usage
# snippet:prints     name    bmi
# snippet:prints 0    ada  22.04
# snippet:prints 2  clara  24.22
# snippet:check
assert raw.columns.tolist() == ["Name", "Height cm", "Weight kg"]
