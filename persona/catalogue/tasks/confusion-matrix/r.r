# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/base/html/table.html table
truth     <- c("ham", "spam", "ham", "spam", "ham", "ham", "spam", "ham")
predicted <- c("ham", "spam", "spam", "ham", "ham", "ham", "spam", "ham")

labels    <- sort(union(truth, predicted)) # also what was only predicted
confusion <- table(truth = factor(truth, labels), predicted = factor(predicted, labels))
precision <- diag(confusion) / colSums(confusion) # of what was called spam, how much is
recall    <- diag(confusion) / rowSums(confusion) # of the spam, how much was caught
f1        <- 2 * diag(confusion) / (colSums(confusion) + rowSums(confusion))

print(confusion)
print(round(cbind(precision, recall, f1), 2))
# snippet:prints       predicted
# snippet:prints truth  ham spam
# snippet:prints   ham    4    1
# snippet:prints   spam   1    2
# snippet:prints      precision recall   f1
# snippet:prints ham       0.80   0.80 0.80
# snippet:prints spam      0.67   0.67 0.67
