# snippet:doc https://tidyr.tidyverse.org/reference/pivot_longer.html pivot_longer
# snippet:about Tidyverse
# snippet:needs R 4.1
# snippet:check
# snippet:prints Bonn 2024 10 4.5
# snippet:prints Bonn 2025 NA NA
# snippet:prints Bonn 2026 12 NA
# snippet:prints Kiel 2024 NA NA
# snippet:prints Kiel 2025 NA NA
# snippet:prints Kiel 2026 NA NA
# snippet:prints Ulm 2024 7 3
# snippet:prints Ulm 2025 NA NA
# snippet:prints Ulm 2026 NA NA
# snippet:end
library(dplyr)
library(tidyr)

# Columns: site, answers_2024, score_2024, answers_2025, ...; one row at least.
tidy_survey <- function(wide) {
  wide |>
    pivot_longer(
      -site,
      names_to = c(".value", "year"),
      names_pattern = "^(.+)_(\\d{4})$",
      names_transform = list(year = as.integer)
    ) |>
    complete(site, year = full_seq(year, 1)) |>
    arrange(site, year)
}
# snippet:check
long <- tidy_survey(tibble(
  site = c("Ulm", "Bonn", "Kiel"), answers_2024 = c(7, 10, NA), score_2024 = c(3, 4.5, NA), answers_2026 = c(NA, 12, NA), score_2026 = c(NA, NA, NA)
))
stopifnot(is.integer(long$year) || is.double(long$year))
two <- tidy_survey(tibble(site = "Ulm", answers_2024 = 7, late_answers_2024 = 1))
stopifnot(nrow(two) == 1, two$answers == 7, two$late_answers == 1)
for (i in seq_len(nrow(long))) cat(unlist(lapply(long[i, ], as.character)), "\n")
