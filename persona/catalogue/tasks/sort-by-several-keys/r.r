# snippet:doc https://stat.ethz.ch/R-manual/R-devel/library/base/html/order.html order
players <- data.frame(
  name  = c("Mei", "Zoe", "Bob", "Ada"),
  score = c(70, 90, 70, 90),
  team  = c("red", "blue", "blue", "red")
)

# Highest score first, equal scores by name.
ranked <- players[order(-players$score, players$name), ]
ranked$place <- rank(-ranked$score, ties.method = "min")

print(ranked, row.names = FALSE)
# snippet:prints  name score team place
# snippet:prints   Ada    90  red     1
# snippet:prints   Zoe    90 blue     1
# snippet:prints   Bob    70 blue     3
# snippet:prints   Mei    70  red     3
