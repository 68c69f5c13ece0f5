# snippet:check
# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/base/html/outer.html outer
# snippet:description Count the ways to each total of several dice instead of throwing them: those of one more die are the old ones, shifted and added.
# snippet:description From it follows the chance to reach a number. The ways are whole numbers and stay exact up to 2^53; only the division at the end rounds.
# snippet:prints 0.1666667
# snippet:prints 0.0925926
# snippet:end
#' The chance of each total of several dice, named by the total.
dice_odds <- function(count, sides = 6) {
  ways <- c("0" = 1) # no dice: one way, and the total is zero
  for (die in seq_len(count)) {
    totals <- outer(as.integer(names(ways)), seq_len(sides), `+`)
    ways <- tapply(outer(ways, rep(1, sides)), totals, sum) # a total may come about in several ways
  }
  ways / sides^count # whole numbers are exact up to 2^53, so nothing is rounded before this
}

at_least <- function(odds, target) sum(odds[as.integer(names(odds)) >= target])
# snippet:check
cat(round(dice_odds(2)[["7"]], 7), "\n")
cat(round(at_least(dice_odds(3), 15), 7), "\n")
stopifnot(all.equal(sum(dice_odds(4, 8)), 1))
