# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/base/html/findInterval.html findInterval
readings <- data.frame(
  time = as.POSIXct("2026-05-04 10:00", tz = "UTC") + c(0, 30, 59, 130, 170),
  celsius = c(20, 22, 21, 25.5, 24.5)
)

# A level for every minute, so that gaps are shown too.
minutes <- seq(as.POSIXct(trunc(min(readings$time), "mins")), max(readings$time), by = "1 min")
bucket <- factor(findInterval(readings$time, minutes), seq_along(minutes))
buckets <- data.frame(
  minute = minutes,
  n = as.vector(table(bucket)),
  mean = as.vector(tapply(readings$celsius, bucket, mean)),
  max = as.vector(tapply(readings$celsius, bucket, max))
)
print(buckets, row.names = FALSE)
# snippet:prints               minute n mean  max
# snippet:prints  2026-05-04 10:00:00 3   21 22.0
# snippet:prints  2026-05-04 10:01:00 0   NA   NA
# snippet:prints  2026-05-04 10:02:00 2   25 25.5
