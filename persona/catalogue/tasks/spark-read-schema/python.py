# snippet:doc https://spark.apache.org/docs/latest/sql-data-sources-csv.html CSV files
# snippet:about Apache Spark
# snippet:needs Spark 4
# snippet:check
import pathlib

from pyspark.sql import SparkSession
# snippet:end
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

SCHEMA = "id int, ordered_on date, amount decimal(12, 2), broken string"


def read_orders(spark: SparkSession, path: str) -> tuple[DataFrame, DataFrame]:
    """The good rows, and the lines that are none."""
    spark.catalog.refreshByPath(path)  # else a second call would get what the first has cached
    rows = spark.read.csv(
        path,
        schema=SCHEMA,
        header=True,
        enforceSchema=False,  # the header must have these names
        mode="PERMISSIVE",
        dateFormat="yyyy-MM-dd",  # otherwise 2026 would be the first of January
        columnNameOfCorruptRecord="broken",
    ).cache()  # both results from one reading
    good = rows.where(F.col("broken").isNull()).drop("broken")
    return good, rows.where(F.col("broken").isNotNull()).select("broken")


# snippet:check
spark = SparkSession.builder.getOrCreate()
pathlib.Path("orders.csv").write_text("id,ordered_on,amount\n1,2026-03-01,12.50\n2,yesterday,3\nthree,2026-03-02,1\n4,2026-03-03,\n5,2026-03-04,1,2\n6,2026-03-05\n7,2026,1\n")
good, broken = read_orders(spark, "orders.csv")
for row in [*good.collect(), *broken.collect()]:
    print(*row, sep="|")
pathlib.Path("orders.csv").write_text("id,ordered_on,amount\n8,2026-03-08,8\n")
good, broken = read_orders(spark, "orders.csv")
assert [row.id for row in good.collect()] == [8] and broken.count() == 0
pathlib.Path("swapped.csv").write_text("id,amount,ordered_on\n1,12.50,2026-03-01\n")
try:
    read_orders(spark, "swapped.csv")[0].collect()
except Exception as e:
    print("header refused" if "CSV header does not conform" in str(e) else str(e))
# snippet:prints 1|2026-03-01|12.50
# snippet:prints 4|2026-03-03|None
# snippet:prints 2,yesterday,3
# snippet:prints three,2026-03-02,1
# snippet:prints 5,2026-03-04,1,2
# snippet:prints 6,2026-03-05
# snippet:prints 7,2026,1
# snippet:prints header refused
