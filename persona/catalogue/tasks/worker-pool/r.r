# snippet:why Independent samples can be drawn on several cores, and the result stays repeatable.
# snippet:description A bootstrap of the mean on several cores, in four chunks, each in a process of its own. The
# snippet:description random numbers are the same with two cores as with eight; a chunk that fails ends the run with its error.
# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/parallel/html/mclapply.html parallel::mclapply
library(parallel)

# A bootstrap on several cores; not on Windows, where R cannot fork. L'Ecuyer streams, and a process for
# each chunk, make it repeatable, whether there are two cores or eight.
boot_mean <- function(x, times, cores = 2) {
  stopifnot(cores >= 2) # with one, mclapply does not fork, and other numbers are drawn
  RNGkind("L'Ecuyer-CMRG")
  set.seed(1)
  chunks <- split(seq_len(times), rep_len(seq_len(4), times))
  means <- mclapply(chunks, function(runs) {
    vapply(runs, function(i) mean(x[sample.int(length(x), replace = TRUE)]), numeric(1))
  }, mc.cores = cores, mc.set.seed = TRUE, mc.preschedule = FALSE)
  failed <- vapply(means, inherits, logical(1), "try-error")
  if (any(failed)) stop(means[[which(failed)[1]]])
  means <- unlist(means, use.names = FALSE)
  stopifnot(length(means) == times) # fewer: a process was killed
  means
}
# snippet:usage
m <- boot_mean(mtcars$mpg, 400)
cat(identical(m, boot_mean(mtcars$mpg, 400, cores = 3)), "\n")
cat(length(m), abs(mean(m) - mean(mtcars$mpg)) < 0.3, "\n")
# snippet:prints TRUE
# snippet:prints 400 TRUE
