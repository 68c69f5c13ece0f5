# snippet:doc https://docs.julialang.org/en/v1/base/sort/ Sorting and related functions
# snippet:prints Ben  250
# snippet:prints Zoe  250
# snippet:prints Ada  120
# snippet:prints Mia  120
# snippet:prints Zoe Mia Ben Ada
players = [
    (name = "Mia", score = 120, level = 3),
    (name = "Ben", score = 250, level = 4),
    (name = "Ada", score = 120, level = 5),
    (name = "Zoe", score = 250, level = 4),
]

# Tuples compare element by element: score descending, then level descending, then name ascending.
ranking = sort(players; by = p -> (-p.score, -p.level, p.name))
foreach(p -> println(rpad(p.name, 5), p.score), ranking)

# A key that cannot be negated, such as text, in descending order: sort by the lesser key first. The
# default algorithm for such values is stable, so the order of the first sort remains among equals.
by_level = sort(players; by = p -> p.level)
by_name_descending = sort(by_level; by = p -> p.name, rev = true)

# snippet:usage
println(join((p.name for p in by_name_descending), ' '))
