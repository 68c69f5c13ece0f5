# snippet:check
# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/stats/html/quantile.html quantile
# snippet:prints VaR 5.00, ES 6.00
# snippet:end
#' The loss that is reached or exceeded in a share of `tail` of all days, and the mean loss of these days.
#' `returns` are shares of the value: -0.02 is a loss of two percent. Losses come back as positive numbers.
value_at_risk <- function(returns, tail = 0.05) {
  returns <- returns[!is.na(returns)]
  stopifnot(length(returns) >= 1 / tail) # fewer days say nothing about the tail
  limit <- quantile(returns, tail, type = 1, names = FALSE) # type 1: a day that really was
  c(value_at_risk = -limit, expected_shortfall = -mean(returns[returns <= limit]))
}
# snippet:check
returns <- c(-0.07, -0.05, rep(0.01, 18), NA, rep(0.02, 20))
risk <- value_at_risk(returns)
cat(sprintf("VaR %.2f, ES %.2f\n", 100 * risk[1], 100 * risk[2]))
