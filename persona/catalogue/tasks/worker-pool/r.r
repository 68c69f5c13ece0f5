# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/parallel/html/mclapply.html parallel::mclapply
library(parallel)

# A bootstrap on several cores; L'Ecuyer streams make it repeatable however many there are.
boot_mean <- function(x, times, cores = 2) {
  RNGkind("L'Ecuyer-CMRG")
  set.seed(1)
  chunks <- split(seq_len(times), rep_len(seq_len(4), times))
  means <- mclapply(chunks, function(runs) {
    vapply(runs, function(i) mean(sample(x, replace = TRUE)), numeric(1))
  }, mc.cores = cores, mc.set.seed = TRUE)
  failed <- vapply(means, inherits, logical(1), "try-error")
  if (any(failed)) stop(means[[which(failed)[1]]])
  unlist(means, use.names = FALSE)
}
# snippet:check
m <- boot_mean(mtcars$mpg, 400)
cat(length(m), abs(mean(m) - mean(mtcars$mpg)) < 0.3, "\n")
# snippet:prints 400 TRUE
