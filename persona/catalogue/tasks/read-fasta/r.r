# snippet:check
# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/base/html/readLines.html readLines
# snippet:prints seq1 ACGTAC
# snippet:prints seq2 GG
# snippet:prints reads.fa:1: sequence before the first header
# snippet:end
#' Reads a FASTA file into a named character vector. For genomes larger than memory read in blocks instead.
read_fasta <- function(path) {
  lines <- trimws(readLines(path, warn = FALSE)) # the last line may lack its end
  is_header <- startsWith(lines, ">")
  record <- cumsum(is_header) # the number of the record that each line belongs to
  stray <- which(record == 0 & lines != "")
  if (length(stray) > 0) stop(sprintf("%s:%d: sequence before the first header", path, stray[1]), call. = FALSE)
  keep <- !is_header & record > 0
  parts <- split(lines[keep], factor(record[keep], levels = seq_len(sum(is_header))))
  sequences <- vapply(parts, paste, character(1), collapse = "")
  names(sequences) <- sub("^>(\\S*).*", "\\1", lines[is_header]) # up to the first space
  sequences
}
# snippet:check
cat(">seq1 first one\nACGT\nAC\n>seq2\nGG", file = "reads.fa")
s <- read_fasta("reads.fa")
cat(paste(names(s), s), sep = "\n")
writeLines(c("ACGT", ">a"), "reads.fa")
cat(tryCatch(read_fasta("reads.fa"), error = conditionMessage), "\n")
