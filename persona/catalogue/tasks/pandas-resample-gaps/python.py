# snippet:doc https://pandas.pydata.org/docs/user_guide/timeseries.html#resampling Resampling
# snippet:about pandas
# snippet:prints 2025-03-01    5.0
# snippet:prints 2025-03-02    NaN
# snippet:prints 2025-03-03    4.0
# snippet:prints Freq: D
# snippet:prints [nan, nan, 4.5]
import pandas as pd

readings = pd.Series(
    [2.0, 3.0, 4.0],
    index=pd.to_datetime(["2025-03-01 08:00", "2025-03-01 20:00", "2025-03-03 09:30"]),
)

daily = readings.resample("D").sum(min_count=1)  # a day without readings is missing, not zero
print(daily.to_string())

smooth = daily.rolling(7, min_periods=2).mean()  # says nothing before it has two days
print(smooth.tolist())
