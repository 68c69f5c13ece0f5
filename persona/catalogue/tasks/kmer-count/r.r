# snippet:check
# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/base/html/substr.html substring
# snippet:prints AT 3 CA 2 GC 1 TG 1
# snippet:prints 0 0
# snippet:end
#' The words of k letters and how often they occur, the most frequent first, ties in alphabetical order.
count_kmers <- function(sequence, k) {
  sequence <- toupper(sequence)
  starts <- seq_len(max(0, nchar(sequence) - k + 1))
  kmers <- if (length(starts) > 0) substring(sequence, starts, starts + k - 1) else character()
  kmers <- kmers[grepl("^[ACGT]+$", kmers)]          # no unknown bases
  if (length(kmers) == 0) return(table(kmers))
  counts <- table(kmers)
  counts[order(-counts, names(counts))]
}
# snippet:check
counts <- count_kmers("ATnCATGCAT", 2)
cat(paste(names(counts), counts), "\n")
cat(length(count_kmers("AC", 3)), length(count_kmers("NNN", 2)), "\n")
