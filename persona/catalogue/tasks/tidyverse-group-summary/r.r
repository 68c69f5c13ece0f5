# snippet:doc https://dplyr.tidyverse.org/reference/summarise.html summarise
# snippet:about Tidyverse
# snippet:needs R 4.1, dplyr 1.1
# snippet:usage
# snippet:prints south 4 2 1 60 0.75
# snippet:prints north 2 2 0 20 0.25
# snippet:end
library(dplyr)

summarise_sales <- function(sales) {
  sales |>
    summarise(
      orders = n(),
      customers = n_distinct(customer, na.rm = TRUE),
      missing = sum(is.na(amount)),
      total = sum(amount, na.rm = TRUE),
      .by = region
    ) |>
    mutate(share = total / sum(total)) |>
    arrange(desc(total))
}
# snippet:usage
sales <- tibble(
  region = c("north", "south", "south", "north", "south", "south"),
  customer = c("a", "b", "b", "c", "d", NA),
  amount = c(5, 20, 40, 15, NA, 0)
)
result <- summarise_sales(sales)
# snippet:check
stopifnot(!is_grouped_df(result))
# snippet:usage
for (i in seq_len(nrow(result))) cat(unlist(lapply(result[i, ], as.character)), "\n")
