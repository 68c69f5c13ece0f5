# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/base/html/seq.Date.html seq for dates
# Working days from the first day up to and including the last.
business_days <- function(first, last, holidays = character()) {
  if (as.Date(last) < as.Date(first)) return(0L)
  days <- seq(as.Date(first), as.Date(last), by = "day")
  weekday <- as.POSIXlt(days)$wday # 0 is Sunday, whatever the language of the machine
  holidays <- as.Date(holidays, "%Y-%m-%d")
  stopifnot(!anyNA(holidays)) # one that cannot be read would count as a working day
  sum(weekday %in% 1:5 & !days %in% holidays)
}

cat(business_days("2026-12-21", "2027-01-04", c("2026-12-25", "2027-01-01")), "\n")
# snippet:prints 9
# snippet:check
stopifnot(inherits(try(business_days("2026-12-21", "2026-12-26", c("2026-12-24", "25.12.2026")), silent = TRUE), "try-error"))
stopifnot(business_days("2026-12-21", "2026-12-26", as.Date("2026-12-24")) == 4)
