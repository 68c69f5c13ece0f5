# snippet:needs Ruby 2.7
# snippet:doc https://docs.ruby-lang.org/en/3.4/Enumerator/Lazy.html Enumerator::Lazy
# An endless source; nothing is computed before somebody asks for it.
collatz = ->(n) { Enumerator.produce(n) { |x| x.even? ? x / 2 : 3 * x + 1 } }

# Steps until a number, 1 or more, reaches 1.
steps = ->(n) { collatz.(n).lazy.take_while { |x| x != 1 }.count }

long = (1..).lazy
  .map { |n| [n, steps.(n)] }
  .select { |_, count| count > 100 }
  .first(3)

long.each { |n, count| puts "#{n} needs #{count} steps" }
# snippet:prints 27 needs 111 steps
# snippet:prints 31 needs 106 steps
# snippet:prints 41 needs 109 steps
