# snippet:usage
# snippet:prints read1 a
# snippet:prints read1 b
# snippet:prints read2 b
# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/base/html/findInterval.html findInterval
# snippet:end
#' Which reads overlap which genes of one chromosome. Both are data frames with name, start and end; ends are exclusive.
find_overlaps <- function(reads, genes) {
  genes <- genes[order(genes$start), ]
  # Genes up to this one start before the read ends: the others need not be looked at.
  last <- findInterval(reads$end, genes$start, left.open = TRUE)
  hits <- lapply(seq_len(nrow(reads)), function(i) {
    candidates <- genes[seq_len(last[i]), ]
    found <- candidates$name[candidates$end > reads$start[i]]
    data.frame(read = rep(reads$name[i], length(found)), gene = found)
  })
  do.call(rbind, c(list(data.frame(read = character(), gene = character())), hits))
}
# snippet:usage
genes <- data.frame(name = c("b", "a", "c"), start = c(20, 0, 40), end = c(30, 10, 50))
reads <- data.frame(name = c("read1", "read2", "read3"), start = c(5, 25, 30), end = c(25, 40, 40))
hits <- find_overlaps(reads, genes)
cat(paste(hits$read, hits$gene), sep = "\n")
# snippet:check
stopifnot(identical(names(find_overlaps(reads[0, ], genes)), c("read", "gene")))
