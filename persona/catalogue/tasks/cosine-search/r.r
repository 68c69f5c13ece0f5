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
  found <- data.frame(row = best, similarity = similarity[best])
  found$name <- rownames(vectors)[best] # no such column where the rows have no names
  found
}
# snippet:check
vectors <- rbind(near = c(1, 0, 0), zero = 0, same = c(2, 2, 0), far = c(0, 0, 1))
best <- most_similar(c(1, 1, 0), normalise(vectors), 2)
cat(paste(best$name, round(best$similarity, 4)), sep = "\n")
stopifnot(most_similar(c(1, 1, 0), normalise(vectors[1:2, ]))$name == "near", most_similar(c(1, 1, 0), vectors[c(1, 1), ])$name == "near", most_similar(1, normalise(matrix(c(-2, 3))))$row == 2:1)
