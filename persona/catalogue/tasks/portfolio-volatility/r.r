# snippet:check
# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/stats/html/cor.html cov
# snippet:prints 14.31 % a year
# snippet:prints stocks 0.756 bonds 0.244
# snippet:end
#' Volatility in a year from the covariance of daily returns, and the share that each position adds to it.
portfolio_risk <- function(weights, covariance, days = 252) {
  stopifnot(nrow(covariance) == length(weights), isSymmetric(unname(covariance)))
  variance <- drop(weights %*% covariance %*% weights)
  if (variance <= 0) stop("a portfolio without risk has no shares of it")
  shares <- weights * drop(covariance %*% weights) / variance # they add up to one
  list(volatility = sqrt(days * variance), shares = shares)
}
# With returns in columns: portfolio_risk(weights, cov(returns))
# snippet:check
covariance <- matrix(c(1.44e-4, 4e-5, 4e-5, 0.64e-4), 2)
risk <- portfolio_risk(c(stocks = 0.6, bonds = 0.4), covariance)
cat(sprintf("%.2f %% a year\n", 100 * risk$volatility))
cat(paste(names(risk$shares), sprintf("%.3f", risk$shares)), "\n")
