# snippet:doc https://spark.apache.org/docs/latest/api/python/reference/pyspark.sql/window.html Window
# snippet:about Apache Spark
# snippet:check
from pyspark.sql import SparkSession
# snippet:end
from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F


def newest_per_key(changes: DataFrame, key: str) -> DataFrame:
    # The number of the change decides where two have the same time. The column _place is made here.
    newest_first = Window.partitionBy(key).orderBy(F.desc("changed_at"), F.desc("sequence"))
    return (
        changes.withColumn("_place", F.row_number().over(newest_first))
        .where(F.col("_place") == 1)
        .where(~F.col("operation").eqNullSafe("delete"))  # after the newest is known: else an older one would come back
        .drop("_place", "operation")
    )


# snippet:check
spark = SparkSession.builder.getOrCreate()
rows = [
    (1, "2026-03-01 10:00", 1, "insert", "Ada"), (1, "2026-03-01 11:00", 2, "update", "Ada L."), (1, "2026-03-01 11:00", 3, "update", "Ada Lovelace"),
    (2, "2026-03-01 10:00", 4, "insert", "Bo"), (2, "2026-03-02 10:00", 5, "delete", None), (3, "2026-03-01 09:00", 6, "insert", "Cy"),
]
changes = spark.createDataFrame(rows, "id int, changed_at string, sequence int, operation string, name string")
for row in newest_per_key(changes, "id").orderBy("id").collect():
    print(row.id, row.name, row.changed_at)
# snippet:prints 1 Ada Lovelace 2026-03-01 11:00
# snippet:prints 3 Cy 2026-03-01 09:00
