# snippet:check
# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/utils/html/adist.html adist
# snippet:title Edit distance and similar sequences
# snippet:description `adist` counts the fewest insertions, deletions and substitutions that turn one sequence into another, and tells
# snippet:description which they are. Candidates are sorted by that distance. Each kind of edit can have a cost of its own.
# snippet:why How much two sequences differ, and where.
# snippet:prints ACGTA 0, ACGA 1, TTTTA 3
# snippet:prints MMIM
# snippet:end
# Base R aligns texts by edit distance: insertions, deletions and substitutions may cost differently.
costs <- c(insertions = 1, deletions = 1, substitutions = 1)

#' The candidates from the most to the least similar, with their distances.
nearest <- function(query, candidates) {
  distance <- drop(adist(query, candidates, costs = costs))
  closest_first <- order(distance)
  setNames(distance[closest_first], candidates[closest_first])
}

#' What turns one sequence into the other: M match, S substitution, I insertion, D deletion.
edits <- function(from, to) {
  drop(attr(adist(from, to, costs = costs, counts = TRUE), "trafos"))
}
# snippet:check
result <- nearest("ACGTA", c("TTTTA", "ACGTA", "ACGA"))
cat(paste(names(result), result, collapse = ", "), "\n")
cat(edits("ACT", "ACGT"), "\n")
