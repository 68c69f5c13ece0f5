# snippet:doc https://spark.apache.org/docs/latest/sql-data-sources-parquet.html Parquet files
# snippet:about Apache Spark
# snippet:check
from pyspark.sql import SparkSession
# snippet:end
from pyspark.sql import DataFrame


def write_days(sales: DataFrame, path: str) -> None:
    (
        sales.repartition("day")  # one file for each day, and not one for each day and task
        .sortWithinPartitions("day", "shop_id")  # by shop_id alone, the write would sort by day instead
        .write.mode("overwrite")
        .option("partitionOverwriteMode", "dynamic")  # only the days that are in sales
        .partitionBy("day")
        .parquet(path)
    )


# snippet:check
import glob

spark = SparkSession.builder.getOrCreate()
columns = "day date, shop_id int, cents int"
day = "cast(day as string)"
write_days(spark.sql("SELECT DATE '2026-03-01' AS day, 2 AS shop_id, 5 AS cents UNION ALL SELECT DATE '2026-03-02', 1, 7"), "sales")
again = spark.sql("SELECT DATE '2026-03-02' AS day, 1 AS shop_id, 8 AS cents UNION ALL SELECT DATE '2026-03-02', 3, 1")
write_days(again, "sales")
write_days(again, "sales")
for row in spark.read.parquet("sales").orderBy("day", "shop_id").collect():
    print(row.day, row.shop_id, row.cents)
print(len(glob.glob("sales/day=*/*.parquet")))
write_days(spark.range(1000).selectExpr("DATE '2026-03-03' + cast(id % 2 AS int) AS day", "cast(id * 7919 % 1000 AS int) AS shop_id", "1 AS cents"), "sorted")
for file in glob.glob("sorted/day=*/*.parquet"):
    shops = [row.shop_id for row in spark.read.parquet(file).collect()]
    assert shops == sorted(shops), file
# snippet:prints 2026-03-01 2 5
# snippet:prints 2026-03-02 1 8
# snippet:prints 2026-03-02 3 1
# snippet:prints 2
