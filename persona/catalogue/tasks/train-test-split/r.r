# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/base/html/sample.html sample
# Holds back a share of each class, so that rare ones are in both parts; one alone is for training.
split_data <- function(data, class, test_share = 0.2, seed = 1) {
  set.seed(seed)
  rows <- split(seq_len(nrow(data)), data[[class]])
  held <- unlist(lapply(rows, function(r) {
    r[sample.int(length(r), max(0, min(length(r) - 1, ceiling(test_share * length(r)))))]
  }))
  kept <- setdiff(seq_len(nrow(data)), held) # data[-held, ] would be empty if nothing is held back
  list(train = data[kept, , drop = FALSE], test = data[held, , drop = FALSE])
}

parts <- split_data(iris, "Species")
print(table(parts$train$Species))
print(table(parts$test$Species))
# snippet:prints
# snippet:prints     setosa versicolor  virginica
# snippet:prints         40         40         40
# snippet:prints
# snippet:prints     setosa versicolor  virginica
# snippet:prints         10         10         10
