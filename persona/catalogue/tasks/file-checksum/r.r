# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/tools/html/md5sum.html tools::md5sum
# Checks that the input files are still those the results were computed from.
record_inputs <- function(paths, ledger) {
  sums <- tools::md5sum(paths)
  write.csv(data.frame(path = paths, md5 = unname(sums)), ledger, row.names = FALSE)
}

changed_inputs <- function(ledger) {
  known <- read.csv(ledger)
  now <- tools::md5sum(known$path) # NA where the file is gone
  known$path[is.na(now) | now != known$md5]
}
# snippet:check
writeLines("1,2", "a.csv")
writeLines("3,4", "b.csv")
record_inputs(c("a.csv", "b.csv"), "inputs.csv")
print(changed_inputs("inputs.csv"))
writeLines("3,5", "b.csv")
print(changed_inputs("inputs.csv"))
# snippet:prints character(0)
# snippet:prints [1] "b.csv"
