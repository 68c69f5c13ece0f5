# snippet:doc https://testthat.r-lib.org/ testthat
initials <- function(name) {
  words <- strsplit(trimws(name), "\\s+")[[1]]
  paste(toupper(substr(words, 1, 1)), collapse = "")
}

cases <- list(
  "two words"    = c("Ada Lovelace", "AL"),
  "lower case"   = c("grace hopper", "GH"),
  "extra spaces" = c("  Alan   Turing ", "AT"),
  "nothing"      = c("", "")
)
for (name in names(cases)) {
  actual <- initials(cases[[name]][1])
  ok <- identical(actual, cases[[name]][2])
  cat(if (ok) "ok  " else paste("FAIL got", actual), name, "\n")
}
# snippet:prints ok   two words
# snippet:prints ok   lower case
# snippet:prints ok   extra spaces
# snippet:prints ok   nothing
