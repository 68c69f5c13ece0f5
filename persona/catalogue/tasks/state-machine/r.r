# snippet:why A simulated chain shows how often each state occurs in the long run.
# snippet:description The weather as a Markov chain: a matrix has the chance of tomorrow's weather for each weather of today. A
# snippet:description thousand simulated days show how often each weather occurs.
# snippet:title Simulate a Markov chain
# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/base/html/Extract.html Indexing by names
# A Markov chain: the weather of tomorrow depends on today's.
states <- c("sun", "cloud", "rain")
transition <- matrix(c(0.7, 0.2, 0.1,
                       0.3, 0.4, 0.3,
                       0.2, 0.4, 0.4), 3, byrow = TRUE, dimnames = list(states, states))
stopifnot(abs(rowSums(transition) - 1) < 1e-12)

simulate <- function(days, state) {
  path <- character(days)
  path[1] <- state
  for (day in seq_len(days - 1)) {
    path[day + 1] <- sample(states, 1, prob = transition[path[day], ])
  }
  path
}

set.seed(3)
weather <- simulate(1000, "sun")
print(round(table(weather) / length(weather), 1))
# snippet:prints weather
# snippet:prints cloud  rain   sun
# snippet:prints   0.3   0.2   0.5
