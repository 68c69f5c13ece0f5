# snippet:doc https://docs.ruby-lang.org/en/3.4/Integer.html#method-i-divmod Integer#divmod
# snippet:needs Ruby 3.0
# Splits an amount in cents by ratios, which are whole numbers, so that not one cent is lost.
def split(cents, ratios)
  raise ArgumentError, "ratios must be positive" unless ratios.any? && ratios.all?(&:positive?)

  total = ratios.sum
  shares = ratios.map { |ratio| cents * ratio / total }
  (cents - shares.sum).times { |i| shares[i] += 1 } # the first ones get what is left
  shares
end

def euros(cents) = format("%s%d.%02d €", cents.negative? ? "-" : "", *cents.abs.divmod(100))

puts split(1000, [1, 1, 1]).map { |share| euros(share) }.join(", ")
puts split(-100, [1, 2]).map { |share| euros(share) }.join(", ")
puts 0.1 + 0.2 == 0.3, 0.1r + 0.2r == 0.3r
# snippet:prints 3.34 €, 3.33 €, 3.33 €
# snippet:prints -0.33 €, -0.67 €
# snippet:prints false
# snippet:prints true
