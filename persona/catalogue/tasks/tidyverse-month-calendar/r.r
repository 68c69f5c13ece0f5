# snippet:doc https://lubridate.tidyverse.org/reference/mplus.html Add and subtract months
# snippet:about Tidyverse
# snippet:needs R 4.1, dplyr 1.1
# snippet:usage
# snippet:prints 2026-02-28 2026-03-31 2026-04-30
# snippet:prints 2026-03 30, 2026-04 5
# snippet:end
library(dplyr)
library(lubridate)

due_dates <- function(start, count) {
  start %m+% months(seq_len(count)) # from the start each time: 31 comes back after February; count from 1
}

sales_by_month <- function(orders, zone = "Europe/Berlin") {
  orders |>
    mutate(day = as_date(with_tz(placed_at, zone)), month = floor_date(day, "month")) |>
    summarise(total = sum(amount), .by = month) |>
    arrange(month)
}
# snippet:usage
cat(format(due_dates(ymd("2026-01-31"), 3)), "\n")
orders <- tibble(
  placed_at = ymd_hms(c("2026-03-01 10:00:00", "2026-03-31 21:59:59", "2026-03-31 22:00:00"), tz = "UTC"),
  amount = c(10, 20, 5)
)
months <- sales_by_month(orders)
cat(paste(format(months$month, "%Y-%m"), months$total, collapse = ", "), "\n")
