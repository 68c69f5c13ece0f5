# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/base/html/seq.Date.html seq for dates
# Working days from the first day up to and including the last.
business_days <- function(first, last, holidays = character()) {
  if (as.Date(last) < as.Date(first)) return(0L)
  days <- seq(as.Date(first), as.Date(last), by = "day")
  weekday <- as.POSIXlt(days)$wday # 0 is Sunday, whatever the language of the machine
  sum(weekday %in% 1:5 & !days %in% as.Date(holidays))
}

cat(business_days("2026-12-21", "2027-01-04", c("2026-12-25", "2027-01-01")), "\n")
# snippet:prints 9
