# snippet:needs Ruby 3.1
# snippet:doc https://docs.ruby-lang.org/en/3.4/Enumerable.html#method-i-group_by Enumerable#group_by
Bucket = Struct.new(:start, :count, :mean, :max, keyword_init: true)

# Readings as [unix time, value]; equal intervals, with the gaps between them.
def buckets(readings, seconds:)
  return [] if readings.empty?

  groups = readings.group_by { |time, _| time.div(seconds) }
  first, last = groups.keys.minmax
  (first..last).map do |slot|
    values = groups.fetch(slot, []).map(&:last)
    mean = values.empty? ? nil : values.sum.fdiv(values.size)
    Bucket.new(start: slot * seconds, count: values.size, mean:, max: values.max)
  end
end
# snippet:check
buckets([[0, 20.0], [30, 22.0], [130, 25.5]], seconds: 60).each { |b| puts b.to_a.inspect }
# snippet:prints [0, 2, 21.0, 22.0]
# snippet:prints [60, 0, nil, nil]
# snippet:prints [120, 1, 25.5, 25.5]
