# snippet:check
# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/base/html/table.html table
# snippet:description Put customers into groups by the month they came, and compute which share of each is active in the months after it.
# snippet:description Each row is divided by its own start, so young and old groups can be compared. A month after `today`, by default the last date of the
# snippet:description data, is NA, and not 0; the month of `today` itself counts as far as it has come.
# snippet:prints 2026-01 1 0.5 0.5 NA
# snippet:prints 2026-02 1 0 NA NA
# snippet:end
#' The share of each month's new customers that is active 0, 1, 2 ... months later; NA for a month after today.
retention <- function(customer, date, months = 3, today = max(date)) {
  stopifnot(!anyNA(customer), !anyNA(date)) # or a customer would be lost without a word
  month <- function(d) { d <- as.POSIXlt(d); 12 * d$year + d$mon }
  active <- unique(data.frame(customer, at = month(date)))
  cohort <- ave(active$at, as.character(active$customer), FUN = min)
  age <- active$at - cohort
  counts <- table(cohort, factor(age, levels = 0:months))
  shares <- unclass(counts / counts[, 1])
  known <- outer(as.integer(rownames(counts)), 0:months, `+`) <= month(today)
  shares[!known] <- NA
  rownames(shares) <- with(list(m = as.integer(rownames(counts))), sprintf("%d-%02d", 1900 + m %/% 12, 1 + m %% 12))
  shares
}
# snippet:check
result <- retention(c("a", "b", "a", "a", "c", "a"), as.Date(c("2026-01-05", "2026-01-20", "2026-02-01", "2026-02-03", "2026-02-09", "2026-03-10")))
for (r in rownames(result)) cat(r, result[r, ], "\n")
