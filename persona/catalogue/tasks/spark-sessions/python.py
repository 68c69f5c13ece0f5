# snippet:doc https://spark.apache.org/docs/latest/api/python/reference/pyspark.sql/api/pyspark.sql.functions.session_window.html session_window
# snippet:about Apache Spark
# snippet:needs Spark 3.5
# snippet:check
from pyspark.sql import SparkSession
# snippet:end
from pyspark.sql import DataFrame
from pyspark.sql import functions as F


def sessions(events: DataFrame) -> DataFrame:
    """events have visitor, at and page; those without at are left out, those without a visitor count as one visitor"""
    visit = F.session_window("at", "30 minutes")
    return (
        events.groupBy("visitor", visit.alias("visit"))
        .agg(
            F.count("*").alias("events"),
            F.min_by("page", "at").alias("came_to"),
            F.max("at").alias("last_seen"),  # visit.end is 30 minutes later
            F.bool_or(F.col("page").eqNullSafe("/paid")).alias("bought"),
        )
        .select("visitor", F.col("visit.start").alias("first_seen"), "last_seen", "events", "came_to", "bought")
    )


# snippet:check
spark = SparkSession.builder.getOrCreate()
rows = [("a", "09:00", "/"), ("a", "09:29", "/cart"), ("a", "09:58", "/paid"), ("a", "10:28", "/help"), ("a", "10:59", "/"), ("b", "09:10", "/"), ("c", "09:20", None), ("d", None, "/paid")]
events = spark.createDataFrame(rows, "visitor string, time string, page string").select(
    "visitor", F.concat(F.lit("2026-03-01 "), "time").cast("timestamp").alias("at"), "page")
for row in sessions(events).orderBy("visitor", "first_seen").collect():
    print(row.visitor, f"{row.first_seen:%H:%M} {row.last_seen:%H:%M}", row.events, row.came_to, row.bought)
# snippet:prints a 09:00 10:28 4 / True
# snippet:prints a 10:59 10:59 1 / False
# snippet:prints b 09:10 09:10 1 / False
# snippet:prints c 09:20 09:20 1 None False
