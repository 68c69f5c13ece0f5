# snippet:check
# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/base/html/crossprod.html crossprod
# snippet:prints same 1
# snippet:prints near 0.7071
# snippet:end
#' Rows of length 1, made once: their dot products are similarities. Rows of zeros have no direction and are left out.
normalise <- function(vectors) {
  lengths <- sqrt(rowSums(vectors^2))
  vectors[lengths > 0, , drop = FALSE] / lengths[lengths > 0]
}

#' The rows of a normalised matrix that are most similar to a query, the best first.
most_similar <- function(query, vectors, n = 5) {
  stopifnot(any(query != 0))
  similarity <- as.vector(vectors %*% query) / sqrt(sum(query^2))
  best <- head(order(similarity, decreasing = TRUE), n)
  data.frame(row = best, similarity = similarity[best], row.names = rownames(vectors)[best])
}
# snippet:check
vectors <- rbind(near = c(1, 0, 0), zero = 0, same = c(2, 2, 0), far = c(0, 0, 1))
best <- most_similar(c(1, 1, 0), normalise(vectors), 2)
cat(paste(rownames(best), round(best$similarity, 4)), sep = "\n")
stopifnot(rownames(most_similar(c(1, 1, 0), normalise(vectors[1:2, ]))) == "near", most_similar(1, normalise(matrix(c(-2, 3))))$row == 2:1)
