# snippet:doc https://spark.apache.org/docs/latest/sql-performance-tuning.html#join-strategy-hints Join hints
# snippet:about Apache Spark
# snippet:check
import contextlib
import io

from pyspark.sql import SparkSession
# snippet:end
from pyspark.sql import DataFrame
from pyspark.sql import functions as F


def with_country(sales: DataFrame, shops: DataFrame) -> DataFrame:
    """sales have shop_id, and no country of their own"""
    shops = shops.select("shop_id", "country").dropDuplicates(["shop_id"])  # any row of a shop, but only one
    joined = sales.join(F.broadcast(shops), on="shop_id", how="left")
    return joined.fillna("unknown", subset=["country"])


def unknown_shops(sales: DataFrame, shops: DataFrame) -> DataFrame:
    return sales.join(F.broadcast(shops), on="shop_id", how="left_anti").select("shop_id").distinct().dropna()


# snippet:check
spark = SparkSession.builder.getOrCreate()
sales = spark.createDataFrame([(1, 500), (1, 200), (2, 300), (9, 100), (None, 0)], "shop_id int, cents int")
shops = spark.createDataFrame([(1, "DE"), (1, "DE"), (2, "FR")], "shop_id int, country string")
joined = with_country(sales, shops)
for row in joined.groupBy("country").agg(F.sum("cents").alias("cents")).orderBy("country").collect():
    print(row.country, row.cents)
print([row.shop_id for row in unknown_shops(sales, shops).collect()])
with contextlib.redirect_stdout(io.StringIO()) as plan:
    joined.explain()
assert "BroadcastHashJoin" in plan.getvalue() and "SortMergeJoin" not in plan.getvalue(), plan.getvalue()
# snippet:prints DE 700
# snippet:prints FR 300
# snippet:prints unknown 100
# snippet:prints [9]
