# snippet:check
# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/base/html/chartr.html chartr
# snippet:prints TGCNaacg AT
# snippet:prints no base: U
# snippet:end
#' The other strands of DNA sequences, each read in its own direction.
reverse_complement <- function(strands) {
  stopifnot(!anyNA(strands)) # or NA would be read as two letters
  bad <- regmatches(strands, regexpr("[^ACGTNacgtn]", strands))
  if (length(bad) > 0) stop("no base: ", bad[1], call. = FALSE)
  other <- chartr("ACGTNacgtn", "TGCANtgcan", strands) # one letter for another, in all strands at once
  vapply(strsplit(other, ""), function(bases) paste(rev(bases), collapse = ""), character(1))
}
# snippet:check
cat(reverse_complement(c("cgttNGCA", "AT")), "\n")
cat(tryCatch(reverse_complement("ACU"), error = conditionMessage), "\n")
stopifnot(inherits(try(reverse_complement(NA_character_), silent = TRUE), "try-error"))
