# snippet:doc https://pandas.pydata.org/docs/reference/api/pandas.DataFrame.drop_duplicates.html drop_duplicates
# snippet:about pandas
import pandas as pd

readings = pd.DataFrame({
    "sensor": ["a", "b", "a"],
    "at": pd.to_datetime(["2025-03-05 10:00", "2025-03-05 09:00", "2025-03-05 08:00"]),
    "celsius": [None, 18.0, 19.5],  # the newest reading of a failed
})

latest = (
    # Of equal times the later row wins, and a row without a time loses.
    readings.sort_values("at", kind="stable", na_position="first")
    .drop_duplicates("sensor", keep="last")
    .sort_values("sensor", ignore_index=True)
)
print(latest[["sensor", "celsius"]])

# snippet:usage
# snippet:prints   sensor  celsius
# snippet:prints 0      a      NaN
# snippet:prints 1      b     18.0
# snippet:check
odd = pd.DataFrame({"sensor": ["a"] * 40, "at": [pd.Timestamp("2025-03-05")] * 39 + [pd.NaT], "celsius": range(40)})
assert odd.sort_values("at", kind="stable", na_position="first").drop_duplicates("sensor", keep="last")["celsius"].tolist() == [38]
assert readings.sort_values("at").groupby("sensor")["celsius"].last()["a"] == 19.5, "what the comment warns of"
