# snippet:doc https://pandas.pydata.org/docs/reference/api/pandas.pivot_table.html pivot_table
# snippet:about pandas
# snippet:prints month  2025-01  2025-02  total
# snippet:prints team
# snippet:prints blue         5        7     12
# snippet:prints red          4        0      4
# snippet:prints total        9        7     16
import pandas as pd

hours = pd.DataFrame({
    "team": ["red", "blue", "blue", "blue"],
    "month": ["2025-01", "2025-01", "2025-02", "2025-02"],
    "hours": [4, 5, 3, 4],
})

report = hours.pivot_table(
    index="team", columns="month", values="hours",
    aggfunc="sum", fill_value=0, margins=True, margins_name="total",
)
print(report)
