# snippet:check
# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/base/html/Random.html Random numbers
# snippet:prints TRUE TRUE
# snippet:end
#' The money in circulation on each day. Players earn about `earn` coins and spend up to the share `spend` of
#' what they have; the sink takes `tax` of every trade out of the game, the rest goes to players at random.
simulate_economy <- function(players = 100, days = 30, earn = 20, spend = 0.4, tax = 0.1, seed = 1) {
  set.seed(seed) # the same seed, the same run: change one number and compare
  coins <- rep(100, players)
  circulation <- numeric(days)
  for (day in seq_len(days)) {
    coins <- coins + rpois(players, earn)
    spent <- coins * spend * runif(players)
    shares <- rexp(players)
    coins <- coins - spent + sum(spent) * (1 - tax) * shares / sum(shares)
    circulation[day] <- sum(coins)
  }
  circulation
}
# snippet:check
low <- simulate_economy(tax = 0.05)
high <- simulate_economy(tax = 0.3)
cat(low[30] > high[30], identical(low, simulate_economy(tax = 0.05)), "\n")
