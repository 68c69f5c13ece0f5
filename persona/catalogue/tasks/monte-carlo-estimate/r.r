# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/base/html/Random.html Random numbers
# When will the project be done? Each task: optimistic, likely and pessimistic days.
tasks <- data.frame(low = c(2, 3, 1), likely = c(4, 5, 2), high = c(9, 12, 4))

rtriangle <- function(n, low, mode, high) {
  u <- runif(n)
  left <- u * (high - low) < mode - low
  ifelse(left,
         low + sqrt(u * (high - low) * (mode - low)),
         high - sqrt((1 - u) * (high - low) * (high - mode)))
}

set.seed(42)
runs <- Map(rtriangle, 10000, tasks$low, tasks$likely, tasks$high)
days <- Reduce(`+`, runs)
print(round(quantile(days, c(0.5, 0.8, 0.95))))
cat(sprintf("chance to be done in two weeks: %.0f %%\n", 100 * mean(days <= 14)))
# snippet:prints 50% 80% 95%
# snippet:prints  14  16  18
# snippet:prints chance to be done in two weeks: 53 %
