# snippet:description For each page the mean, the median, the 95th and the 99th percentile of the durations. Each percentile is a
# snippet:description duration that was measured; an average hides the slow ones.
# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/stats/html/quantile.html quantile
ms <- c(12, 15, 11, 14, 13, 12, 240, 13, 12, 16, 14, 13, 900, 12, 15, 13, 14, 12, 13, 15)
page <- rep(c("home", "search"), each = 10)

# type = 1 is the nearest rank: every answer is a value that occurred.
summary_of <- function(x) c(mean = mean(x), quantile(x, c(0.5, 0.95, 0.99), type = 1))

print(do.call(rbind, tapply(ms, page, summary_of)))
# snippet:prints         mean 50% 95% 99%
# snippet:prints home    35.8  13 240 240
# snippet:prints search 102.1  13 900 900
