# snippet:doc https://cran.r-project.org/package=digest digest
# snippet:needs the package digest
# Checks that the input files are still those the results were computed from.
sha256 <- function(paths) {
  vapply(paths, digest::digest, "", algo = "sha256", file = TRUE, USE.NAMES = FALSE)
}

record_inputs <- function(paths, ledger) {
  write.csv(data.frame(path = paths, sha256 = sha256(paths)), ledger, row.names = FALSE)
}

changed_inputs <- function(ledger) {
  known <- read.csv(ledger, colClasses = "character", na.strings = character())
  there <- file.exists(known$path)
  changed <- !there
  changed[there] <- sha256(known$path[there]) != known$sha256[there]
  known$path[changed]
}
# snippet:usage
cat("abc", file = "a.csv")
writeLines("3,4", "b.csv")
writeLines("5,6", "c.csv")
cat(sha256("a.csv"), "\n")
record_inputs(c("a.csv", "b.csv", "c.csv"), "inputs.csv")
print(changed_inputs("inputs.csv"))
writeLines("3,5", "b.csv")
invisible(file.remove("c.csv"))
print(changed_inputs("inputs.csv"))
# snippet:prints ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad
# snippet:prints character(0)
# snippet:prints [1] "b.csv" "c.csv"
