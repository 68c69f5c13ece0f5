# snippet:doc https://spark.apache.org/docs/latest/api/python/getting_started/testing_pyspark.html Testing PySpark
# snippet:into Save it as test_people.py, with a fixture spark that makes a SparkSession: pytest.
# snippet:about Apache Spark
# snippet:needs Spark 3.5
# snippet:check
from pyspark.errors import PySparkAssertionError
# snippet:end
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.testing import assertDataFrameEqual


def clean_names(people: DataFrame) -> DataFrame:
    return people.withColumn("name", F.initcap(F.trim(F.regexp_replace("name", r"\s+", " "))))


def only_adults(people: DataFrame, age: int = 18) -> DataFrame:
    return people.where(F.col("age") >= age)


def test_adults_with_clean_names(spark: SparkSession) -> None:
    people = spark.createDataFrame([("  ada   LOVELACE ", 36), ("tim", 7), ("bo", None)], "name string, age int")
    result = people.transform(clean_names).transform(only_adults, age=18)
    expected = spark.createDataFrame([("Ada Lovelace", 36)], "name string, age int")
    assertDataFrameEqual(result, expected)  # rows in any order; names and types, too


# snippet:check
session = SparkSession.builder.getOrCreate()
test_adults_with_clean_names(session)
print("passed")
for columns, rows in [("name string, age bigint", [("Ada", 36)]), ("name string, age int", [("Bo", 36)])]:
    try:
        assertDataFrameEqual(session.createDataFrame([("Ada", 36)], "name string, age int"), session.createDataFrame(rows, columns))
    except PySparkAssertionError as e:
        print(e.getCondition())
assertDataFrameEqual(session.createDataFrame([(1,), (2,)], "n int"), session.createDataFrame([(2,), (1,)], "n int"))
# snippet:prints passed
# snippet:prints DIFFERENT_SCHEMA
# snippet:prints DIFFERENT_ROWS
