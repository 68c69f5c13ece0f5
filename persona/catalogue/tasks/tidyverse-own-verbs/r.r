# snippet:doc https://dplyr.tidyverse.org/articles/programming.html Programming with dplyr
# snippet:about Tidyverse
# snippet:needs R 4.1, dplyr 1.1
# snippet:usage
# snippet:prints island, mass_mean, mass_sd, bill_mean, bill_sd, n
# snippet:prints island, mass_mean, mass_sd, bill_mean, bill_sd, n
# snippet:prints Biscoe 2 11 1.41
# snippet:prints Dream 1 20 NA
# snippet:prints 2 of 3
# snippet:prints no column colour: island, mass, bill
# snippet:end
library(dplyr)

describe <- function(data, columns, by) {
  data |>
    summarise(
      across({{ columns }}, list(mean = \(x) mean(x, na.rm = TRUE), sd = \(x) sd(x, na.rm = TRUE)),
             .names = "{.col}_{.fn}"),
      n = n(), # rows, also those with a missing value; stands last, or across() could choose it
      .by = {{ by }}
    )
}

keep_at_least <- function(data, column, least) { # column: a text, such as from a form
  if (!column %in% names(data)) {
    stop("no column ", column, ": ", toString(names(data)))
  }
  filter(data, .data[[column]] >= .env$least)
}
# snippet:usage
birds <- tibble(island = c("Biscoe", "Biscoe", "Dream"), mass = c(10, 12, 20), bill = c(1, 3, 5))
result <- describe(birds, c(mass, bill), by = island)
cat(paste(names(result), collapse = ", "), "\n")
cat(paste(names(describe(birds, where(is.numeric), by = island)), collapse = ", "), "\n")
cat(paste(result$island, result$n, result$mass_mean, round(result$mass_sd, 2)), sep = "\n")
cat(nrow(keep_at_least(birds, "mass", 12)), "of", nrow(birds), "\n")
tryCatch(keep_at_least(birds, "colour", 1), error = function(e) cat(conditionMessage(e), "\n"))
