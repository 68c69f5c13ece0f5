# snippet:doc https://docs.ruby-lang.org/en/3.4/Date.html Date
require "date"

HOLIDAYS = [Date.new(2026, 12, 25), Date.new(2027, 1, 1)].freeze

def business_day?(day) = !day.saturday? && !day.sunday? && !HOLIDAYS.include?(day)

# Working days from the first day up to and including the last.
def business_days(first, last) = (first..last).count { |day| business_day?(day) }

# The nth working day after a day.
def due(from, n) = (from.next_day..).lazy.select { |day| business_day?(day) }.first(n).last

puts business_days(Date.new(2026, 12, 21), Date.new(2027, 1, 4))
puts due(Date.new(2026, 12, 24), 3)
# snippet:prints 9
# snippet:prints 2026-12-30
