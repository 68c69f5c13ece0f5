# snippet:check
# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/base/html/strsplit.html strsplit
# snippet:prints 1 0.5
# snippet:prints 3 1
# snippet:prints 5 NA
# snippet:end
#' The share of G and C in each whole window along a sequence; NA where a window holds unknown bases only.
gc_content <- function(sequence, width, step = width) {
  bases <- strsplit(toupper(sequence), "")[[1]]
  if (length(bases) < width) return(data.frame(start = integer(), gc = numeric()))
  start <- seq(1, length(bases) - width + 1, by = step)
  gc <- vapply(start, function(at) {
    window <- bases[seq(at, length.out = width)]
    known <- sum(window %in% c("A", "C", "G", "T", "U"))
    if (known == 0) NA_real_ else sum(window %in% c("G", "C")) / known
  }, numeric(1))
  data.frame(start, gc)
}
# snippet:check
stopifnot(gc_content("GCUU", 4)$gc == 0.5)
result <- gc_content("AGcgNN", 2)
cat(paste(result$start, result$gc), sep = "\n")
stopifnot(nrow(gc_content("A", 2)) == 0)
