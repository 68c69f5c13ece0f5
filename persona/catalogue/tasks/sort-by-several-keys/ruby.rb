# snippet:doc https://docs.ruby-lang.org/en/3.4/Enumerable.html#method-i-sort_by Enumerable#sort_by
Player = Struct.new(:name, :score)

players = [
  Player.new("Mei", 70),
  Player.new("Zoe", 90),
  Player.new("Bob", 70),
  Player.new("Ada", 90),
]

# Highest score first, equal scores by name: arrays compare element by element.
ranked = players.sort_by { |p| [-p.score, p.name] }

ranked.each.with_index(1) { |p, place| puts "#{place}. #{p.name} #{p.score}" }
# snippet:prints 1. Ada 90
# snippet:prints 2. Zoe 90
# snippet:prints 3. Bob 70
# snippet:prints 4. Mei 70
