# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/base/html/sample.html sample
# Holds back a share of each class, so that rare ones are in both parts.
split_data <- function(data, class, test_share = 0.2, seed = 1) {
  set.seed(seed)
  rows <- split(seq_len(nrow(data)), data[[class]])
  held <- unlist(lapply(rows, function(r) r[sample.int(length(r), ceiling(test_share * length(r)))]))
  list(train = data[-held, ], test = data[held, ])
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
