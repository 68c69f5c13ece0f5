# snippet:check
# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/base/html/crossprod.html crossprod
# snippet:prints same 1
# snippet:prints near 0.7071
# snippet:end
#' The rows of a matrix that are most similar to a query; rows of zeros have no direction and are left out.
most_similar <- function(query, vectors, n = 5) {
  lengths <- sqrt(rowSums(vectors^2))
  keep <- lengths > 0
  similarity <- drop(vectors[keep, , drop = FALSE] %*% query) / (lengths[keep] * sqrt(sum(query^2)))
  head(sort(similarity, decreasing = TRUE), n)
}
# snippet:check
vectors <- rbind(near = c(1, 0, 0), zero = 0, same = c(2, 2, 0), far = c(0, 0, 1))
best <- most_similar(c(1, 1, 0), vectors, 2)
cat(paste(names(best), round(best, 4)), sep = "\n")
