# snippet:doc https://docs.ruby-lang.org/en/3.4/Array.html#method-i-sort Array#sort
# The smallest value that at least the given percentage of all values does not exceed (nearest rank, 0 to 100).
def percentile(values, percent)
  raise ArgumentError, "no values" if values.empty?

  sorted = values.sort
  sorted[[(percent * sorted.size / 100.0 - 1e-7).ceil - 1, 0].max] # 99.9 * 41000 / 100 is above 40959
end

milliseconds = [12, 15, 11, 14, 13, 12, 240, 13, 12, 16, 14, 13, 900, 12, 15, 13, 14, 12, 13, 15]
puts "mean #{milliseconds.sum.fdiv(milliseconds.size).round} ms"
[50, 95, 99].each do |percent|
  puts format("p%-3d %4d ms", percent, percentile(milliseconds, percent))
end
# snippet:prints mean 69 ms
# snippet:prints p50    13 ms
# snippet:prints p95   240 ms
# snippet:prints p99   900 ms
# snippet:check
raise unless percentile([*1..41_000], 99.9) == 40_959
