# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/base/html/cut.POSIXt.html cut for date-times
readings <- data.frame(
  time = as.POSIXct("2026-05-04 10:00", tz = "UTC") + c(0, 30, 59, 130, 170),
  celsius = c(20, 22, 21, 25.5, 24.5)
)

# cut() makes a level for every minute, so that gaps are shown too.
minute <- cut(readings$time, "1 min")
buckets <- data.frame(
  minute = levels(minute),
  n = as.vector(table(minute)),
  mean = as.vector(tapply(readings$celsius, minute, mean)),
  max = as.vector(tapply(readings$celsius, minute, max))
)
print(buckets, row.names = FALSE)
# snippet:prints               minute n mean  max
# snippet:prints  2026-05-04 10:00:00 3   21 22.0
# snippet:prints  2026-05-04 10:01:00 0   NA   NA
# snippet:prints  2026-05-04 10:02:00 2   25 25.5
