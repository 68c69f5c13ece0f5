-- snippet:description Mean, standard deviation and the standard error of the mean for each batch, in one query. With one value the
-- snippet:description spread is unknown, not zero.
-- snippet:why The standard error says how far the mean of so few values can be trusted.
-- snippet:doc https://www.postgresql.org/docs/current/functions-aggregate.html#FUNCTIONS-AGGREGATE-STATISTICS-TABLE Aggregate functions for statistics
-- snippet:about PostgreSQL
-- snippet:check
CREATE TABLE sample (batch text, value float8);
INSERT INTO sample VALUES ('A', 9.8), ('A', 10.1), ('A', 10.0), ('A', 9.9), ('B', 10.4), ('B', 8.1), ('B', 12.0), ('C', 5.0);
-- snippet:end
-- PostgreSQL: mean, spread and the mean's standard error. With one value the spread is unknown, not zero.
SELECT batch,
       count(value)                                   AS n,
       round(avg(value)::numeric, 3)                  AS mean,
       round(stddev_samp(value)::numeric, 3)          AS deviation,
       round((stddev_samp(value) / sqrt(count(value)))::numeric, 3) AS standard_error
FROM sample
GROUP BY batch
ORDER BY deviation NULLS LAST;
-- snippet:prints A|4|9.950|0.129|0.065
-- snippet:prints B|3|10.167|1.960|1.132
-- snippet:prints C|1|5.000||
