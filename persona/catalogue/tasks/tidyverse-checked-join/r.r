# snippet:doc https://dplyr.tidyverse.org/reference/mutate-joins.html Mutating joins
# snippet:about Tidyverse
# snippet:needs R 4.1, dplyr 1.1.1
# snippet:check
# snippet:prints 1 Ada 9.5; 2 Ada 3; 3 Grace 7
# snippet:prints orders without a customer: 4
# snippet:prints refused: duplicate customer
# snippet:prints refused: orders without a customer: 4
# snippet:prints refused: orders without a customer: 4
# snippet:end
library(dplyr)

# orders: order, customer_id; customers: id, name
add_customer <- function(orders, customers) {
  lost <- anti_join(orders, customers, join_by(customer_id == id), na_matches = "never")
  if (nrow(lost) > 0) {
    stop("orders without a customer: ", toString(lost$order))
  }
  orders |>
    left_join(
      select(customers, id, name),
      join_by(customer_id == id),
      relationship = "many-to-one", # an order has one customer
      na_matches = "never" # two missing ids are not the same customer
    )
}
# snippet:check
orders <- tibble(order = 1:3, customer_id = c("a", "a", "g"), amount = c(9.5, 3, 7))
customers <- tibble(id = c("a", "g"), name = c("Ada", "Grace"), password = "x")
joined <- add_customer(orders, customers)
stopifnot(identical(names(joined), c("order", "customer_id", "amount", "name")))
cat(paste(joined$order, joined$name, joined$amount, collapse = "; "), "\n")
more <- add_row(orders, order = 4L, customer_id = "z", amount = 1)
tryCatch(add_customer(more, customers), error = function(e) cat(conditionMessage(e), "\n"))
twice <- add_row(customers, id = "a", name = "Eve")
tryCatch(add_customer(orders, twice), error = function(e) {
  cat("refused:", if (grepl("multiple|many|at most", paste(conditionMessage(e), collapse = ""))) "duplicate customer" else conditionMessage(e), "\n")
})
missing_id <- add_row(orders, order = 4L, customer_id = NA, amount = 1)
tryCatch(add_customer(missing_id, customers), error = function(e) cat("refused:", conditionMessage(e), "\n"))
unknown <- add_row(customers, id = NA, name = "Nobody")
tryCatch(add_customer(missing_id, unknown), error = function(e) cat("refused:", conditionMessage(e), "\n"))
