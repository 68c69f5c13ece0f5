# snippet:doc https://spark.apache.org/docs/latest/streaming/index.html Structured Streaming
# snippet:about Apache Spark
# snippet:needs Spark 3.3
# snippet:check
import os
import pathlib
import time

# snippet:end
from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def add_new_files(spark: SparkSession, folder: str, target: str) -> None:
    """Reads the files that no earlier call has read, and ends."""
    source = spark.readStream.option("maxFileAge", "36500d")  # else one a week older than the newest is passed over
    readings = source.schema("sensor string, celsius double").json(folder, mode="FAILFAST")
    query = (
        readings.withColumn("file", F.col("_metadata.file_name"))  # as in a URL: a blank is %20
        .writeStream.format("parquet")
        .option("checkpointLocation", f"{target}_checkpoint")  # what was read: never delete it alone
        .trigger(availableNow=True)
        .start(target)
    )
    query.awaitTermination()  # raises what went wrong


# snippet:check
spark = SparkSession.builder.getOrCreate()
pathlib.Path("in").mkdir()
for name, text in [("a", '{"sensor": "s1", "celsius": 20.5}\n'), ("b", '{"sensor": "s1", "celsius": 21}\n')]:
    pathlib.Path(f"in/{name}.json").write_text(text)
    if name == "b":
        os.utime("in/b.json", (time.time() - 8 * 86400,) * 2)
    add_new_files(spark, "in", "readings")
add_new_files(spark, "in", "readings")
for row in spark.read.parquet("readings").orderBy("file").collect():
    print(row.sensor, row.celsius, row.file)
pathlib.Path("in/c.json").write_text("nonsense\n")
try:
    add_new_files(spark, "in", "readings")
except Exception as e:
    print("FAILED_READ_FILE" in str(e), spark.read.parquet("readings").count())
# snippet:prints s1 20.5 a.json
# snippet:prints s1 21.0 b.json
# snippet:prints True 2
