# snippet:doc https://docs.ruby-lang.org/en/3.4/Array.html#method-i-sort Array#sort
# The smallest value that at least the given share of all values does not exceed (nearest rank).
def percentile(values, share)
  raise ArgumentError, "no values" if values.empty?

  sorted = values.sort
  sorted[[(share * sorted.size).ceil - 1, 0].max]
end

milliseconds = [12, 15, 11, 14, 13, 12, 240, 13, 12, 16, 14, 13, 900, 12, 15, 13, 14, 12, 13, 15]
puts "mean #{milliseconds.sum / milliseconds.size} ms"
[0.5, 0.95, 0.99].each do |share|
  puts format("p%-3d %4d ms", share * 100, percentile(milliseconds, share))
end
# snippet:prints mean 68 ms
# snippet:prints p50    13 ms
# snippet:prints p95   240 ms
# snippet:prints p99   900 ms
