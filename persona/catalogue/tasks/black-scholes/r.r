# snippet:check
# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/stats/html/Normal.html pnorm
# snippet:prints 10.4506 5.5735
# snippet:prints 0 10
# snippet:prints implied volatility 0.2
# snippet:end
#' The price of a European call on a share without dividends. Spot and strike are positive,
#' rate and volatility per year, time in years.
call_price <- function(spot, strike, rate, volatility, time) {
  # Nothing left to chance: what it pays, discounted.
  if (time == 0 || volatility == 0) return(max(spot - strike * exp(-rate * time), 0))
  d1 <- (log(spot / strike) + (rate + volatility^2 / 2) * time) / (volatility * sqrt(time))
  spot * pnorm(d1) - strike * exp(-rate * time) * pnorm(d1 - volatility * sqrt(time))
}

# Parity: a call less a put is the share less the discounted strike.
put_price <- function(spot, strike, rate, volatility, time) {
  call_price(spot, strike, rate, volatility, time) - spot + strike * exp(-rate * time)
}

implied_volatility <- function(price, spot, strike, rate, time) {
  uniroot(function(v) call_price(spot, strike, rate, v, time) - price, c(0.001, 5), tol = 1e-9)$root
}
# snippet:check
cat(round(c(call_price(100, 100, 0.05, 0.2, 1), put_price(100, 100, 0.05, 0.2, 1)), 4), "\n")
cat(call_price(90, 100, 0.05, 0.2, 0), put_price(90, 100, 0.05, 0.2, 0), "\n")
stopifnot(call_price(100, 100, 0, 0, 1) == 0, all.equal(call_price(110, 100, 0, 0, 1), 10))
cat("implied volatility", round(implied_volatility(10.450584, 100, 100, 0.05, 1), 4), "\n")
