# snippet:doc https://purrr.tidyverse.org/reference/safely.html safely
# snippet:about Tidyverse
# snippet:needs purrr 1.0, readr 2.0
# snippet:check
# snippet:prints jan.csv 3; mar.csv 4; mar.csv 5
# snippet:prints apr.csv: not a number: n/a
# snippet:prints feb.csv: the column amount is missing
# snippet:prints jun.csv: expected closing quote at end of file, found
# snippet:prints may.csv: expected 2 columns, found 3 columns
# snippet:prints twice.csv: the column amount is there twice, or one is amount_1
# snippet:prints 12
# snippet:prints 0 rows, 0 failed
# snippet:end
library(dplyr)
library(purrr)
library(readr)

read_one <- function(path) {
  text <- cols(.default = col_character())
  # Before vroom 1.7, the second edition passes over a quote that is not closed, and the rows behind it.
  table <- suppressWarnings(with_edition(1, read_csv(path, col_types = text)))
  uneven <- problems(table)
  if (nrow(uneven) > 0) stop("expected ", uneven$expected[1], ", found ", uneven$actual[1])
  if (!"amount" %in% names(table)) stop("the column amount is missing")
  if ("amount_1" %in% names(table)) stop("the column amount is there twice, or one is amount_1")
  amount <- suppressWarnings(parse_double(table$amount)) # an empty cell, or NA, is missing
  if (nrow(problems(amount)) > 0) stop("not a number: ", problems(amount)$actual[1])
  mutate(table, amount = .env$amount) # the numbers, not the column of that name
}

read_folder <- function(folder) {
  stopifnot(dir.exists(folder)) # one that is missing would have no files
  paths <- list.files(folder, pattern = "\\.csv$", full.names = TRUE)
  results <- map(set_names(paths, basename), safely(read_one))
  errors <- compact(map(results, "error"))
  list(
    data = list_rbind(compact(map(results, "result")), names_to = "file"), # in place of a column of that name
    failed = map_chr(errors, conditionMessage) # named by file
  )
}
# snippet:check
folder <- file.path(tempdir(), "sales")
dir.create(folder)
empty <- read_folder(folder)
write_lines(c("amount", "3"), file.path(folder, "jan.csv"))
write_lines(c("total", "9"), file.path(folder, "feb.csv"))
write_lines(c("amount", "4", "n/a"), file.path(folder, "apr.csv"))
write_lines(c("amount", "4", "5"), file.path(folder, "mar.csv"))
write_lines(c("amount,note", "1,50,late"), file.path(folder, "may.csv"))
write_lines(c("amount,note", "1,\"a", "2,b"), file.path(folder, "jun.csv"))
write_lines(c("amount,amount", "1,2"), file.path(folder, "twice.csv"))
all <- read_folder(folder)
cat(paste(all$data$file, all$data$amount, collapse = "; "), "\n")
cat(paste0(names(all$failed), ": ", all$failed), sep = "\n")
cat(sum(all$data$amount), "\n")
cat(nrow(empty$data), "rows,", length(empty$failed), "failed\n")
