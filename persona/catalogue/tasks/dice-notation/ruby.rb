# snippet:needs Ruby 3.1
# snippet:doc https://docs.ruby-lang.org/en/3.4/Random.html Random
NOTATION = /\A(?<n>[1-9]\d?)?d(?<sides>[1-9]\d{0,2})(?<plus>[+-]\d{1,3})?\z/

# Rolls "3d6+2". A seeded Random makes the luck repeatable.
def roll(text, random: Random.new)
  match = NOTATION.match(text) or raise ArgumentError, "not a roll: #{text}"
  dice = Array.new([match[:n].to_i, 1].max) { random.rand(1..match[:sides].to_i) }
  { dice:, sum: dice.sum + match[:plus].to_i }
end
# snippet:usage
3.times { |seed| r = roll("3d6+2", random: Random.new(seed)); puts r[:sum] == r[:dice].sum + 2 && r[:dice].all?(1..6) }
begin
  roll("0d6")
rescue ArgumentError => e
  puts e.message
end
# snippet:prints true
# snippet:prints true
# snippet:prints true
# snippet:prints not a roll: 0d6
