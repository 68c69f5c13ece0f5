# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/base/html/rle.html rle
# snippet:description Clean the recorded samples of a bouncing contact: each run that is too short, but the first,
# snippet:description takes the last steady value. Then count the presses.
# snippet:title Debounce a recorded contact
# snippet:why A mechanical contact bounces for milliseconds; one press must count once.
# A bouncing contact: a press counts once it has held for some samples.
debounce <- function(samples, hold = 3) {
  runs <- rle(samples)
  keep <- runs$lengths >= hold | seq_along(runs$lengths) == 1 # what was before the first is not known
  runs$values <- runs$values[cummax(seq_along(keep) * keep)] # short runs take the last steady value
  inverse.rle(runs)
}

raw <- c(0, 0, 0, 1, 0, 1, 1, 1, 1, 0, 1, 1, 0, 0, 0, 0)
steady <- debounce(raw)
cat(raw, "\n")
cat(steady, "\n")
cat("presses:", sum(diff(steady) == 1), "\n")
# snippet:prints 0 0 0 1 0 1 1 1 1 0 1 1 0 0 0 0
# snippet:prints 0 0 0 0 0 1 1 1 1 1 1 1 0 0 0 0
# snippet:prints presses: 1
