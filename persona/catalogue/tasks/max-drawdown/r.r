# snippet:check
# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/base/html/cumsum.html cummax
# snippet:prints 25.0% from 3 to 5
# snippet:prints 0.0% from 1 to 1
# snippet:end
#' The largest relative fall from an earlier high, with the places of peak and trough. Takes one value or more,
#' all above zero and none missing.
max_drawdown <- function(values) {
  high <- cummax(values)
  loss <- 1 - values / high
  trough <- which.max(loss)
  peak <- which.max(values[seq_len(trough)])
  list(loss = loss[trough], peak = peak, trough = trough)
}
# snippet:check
for (values in list(c(100, 90, 120, 110, 90, 130, 117), c(1, 2))) {
  d <- max_drawdown(values)
  cat(sprintf("%.1f%% from %d to %d\n", 100 * d$loss, d$peak, d$trough))
}
