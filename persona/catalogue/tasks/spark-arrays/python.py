# snippet:doc https://spark.apache.org/docs/latest/api/python/reference/pyspark.sql/api/pyspark.sql.functions.aggregate.html aggregate
# snippet:about Apache Spark
# snippet:check
from pyspark.sql import SparkSession
# snippet:end
from pyspark.sql import DataFrame
from pyspark.sql import functions as F


def price(orders: DataFrame) -> DataFrame:
    """orders have items: array<struct<name string, cents int, quantity int>>, without any null"""
    bought = F.filter("items", lambda item: item["quantity"] > 0)
    cents = F.transform(bought, lambda item: item["cents"].cast("bigint") * item["quantity"])
    return orders.select(
        "id",
        F.aggregate(cents, F.lit(0).cast("bigint"), lambda total, item: total + item).alias("cents"),
        F.exists(bought, lambda item: item["name"].startswith("gift")).alias("has_gift"),
        F.array_sort(F.transform(bought, lambda item: item["name"])).alias("names"),
    )


# snippet:check
spark = SparkSession.builder.getOrCreate()
rows = [(1, [("pen", 250, 2), ("gift card", 2000, 1), ("ink", 900, 0)]), (2, [("ship", 2_000_000_000, 2)]), (3, [("gift box", 300, 0)])]
for row in price(spark.createDataFrame(rows, "id int, items array<struct<name string, cents int, quantity int>>")).collect():
    print(row.id, row.cents, row.has_gift, row.names)
# snippet:prints 1 2500 True ['gift card', 'pen']
# snippet:prints 2 4000000000 False ['ship']
# snippet:prints 3 0 False []
