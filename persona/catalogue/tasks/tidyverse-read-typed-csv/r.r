# snippet:doc https://readr.tidyverse.org/reference/read_delim.html read_delim
# snippet:about Tidyverse
# snippet:needs readr 2.0
# snippet:check
# snippet:prints 01067 2026-03-01 1234.5
# snippet:prints 2 row(s), 0 missing
# snippet:prints orders.csv, row 2, column placed_on: expected valid date, found 31.02.2026
# snippet:prints orders.csv, row 1, column note: expected closing quote at end of file, found
# snippet:prints orders.csv: no column placed_on
# snippet:end
library(readr)

read_orders <- function(path) {
  # Before vroom 1.7, the second edition passes over a quote that is not closed, and the rows behind it.
  orders <- with_edition(1, read_delim(
    path,
    delim = ";",
    locale = locale(decimal_mark = ",", grouping_mark = "."),
    col_types = cols_only( # other columns are left out
      postcode = col_character(),
      placed_on = col_date("%d.%m.%Y"),
      amount = col_number() # 1.234,50; reads 12.50 as 1250, and drops text around the number
    ),
    na = c("", "n/a")
  ))
  lost <- setdiff(c("postcode", "placed_on", "amount"), names(orders))
  if (length(lost) > 0) stop(basename(path), ": no column ", toString(lost))
  wrong <- problems(orders)
  if (nrow(wrong) > 0) {
    first <- wrong[1, ]
    stop(sprintf("%s, row %d, column %s: expected %s, found %s",
                 basename(path), first$row, first$col, first$expected, first$actual))
  }
  orders
}
# snippet:check
path <- file.path(tempdir(), "orders.csv")
write_lines(c("postcode;placed_on;note;amount", "01067;01.03.2026;x;1.234,50", "99084;02.03.2026;;7"), path)
orders <- read_orders(path)
cat(orders$postcode[1], format(orders$placed_on[1]), orders$amount[1], "\n")
cat(nrow(orders), "row(s),", sum(is.na(orders)), "missing\n")
write_lines(c("postcode;placed_on;note;amount", "01067;01.03.2026;x;1,50", "99084;31.02.2026;;7"), path)
tryCatch(withCallingHandlers(read_orders(path), warning = function(w) invokeRestart("muffleWarning")),
         error = function(e) cat(conditionMessage(e), "\n"))
write_lines(c("postcode;placed_on;note;amount", '01067;01.03.2026;"x;1,50', "99084;02.03.2026;;7"), path)
tryCatch(withCallingHandlers(read_orders(path), warning = function(w) invokeRestart("muffleWarning")),
         error = function(e) cat(conditionMessage(e), "\n"))
write_lines(c("postcode;date;note;amount", "01067;01.03.2026;x;1,50"), path)
tryCatch(withCallingHandlers(read_orders(path), warning = function(w) invokeRestart("muffleWarning")),
         error = function(e) cat(conditionMessage(e), "\n"))
