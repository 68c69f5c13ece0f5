# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/base/html/lapply.html vapply
initials <- function(name) {
  words <- strsplit(trimws(name), "\\s+")[[1]]
  paste(toupper(substr(words, 1, 1)), collapse = "")
}

cases <- read.csv(text = r"(
name,        input,               want
two words,   Ada Lovelace,        AL
lower case,  grace hopper,        GH
spaces,      "  Alan   Turing ",  AT
nothing,     "",                  ""
)", strip.white = TRUE, colClasses = "character", na.strings = NULL) # NA can be somebody's initials

cases$got <- vapply(cases$input, initials, "")
failed <- cases[cases$got != cases$want, ]
cat(nrow(cases), "cases,", nrow(failed), "failed\n")
if (nrow(failed) > 0) {
  print(failed)
  quit(status = 1) # a failure must be seen by whoever runs the tests
}
# snippet:prints 4 cases, 0 failed
