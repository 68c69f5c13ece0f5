# snippet:doc https://docs.ruby-lang.org/en/3.4/Enumerable.html#method-i-tally Enumerable#tally
ERROR = /\A(?<hour>\d{4}-\d\d-\d\dT\d\d):\d\d:\d\d\S* (?:ERROR|FATAL)\b/

# Errors per hour; reads line by line, and keeps the counts only. A stray byte does not end it.
def errors_per_hour(io)
  io.each_line.lazy.filter_map { |line| line.scrub[ERROR, :hour] }.tally.sort.to_h
end
# snippet:check
require "stringio"
log = "2026-05-04T11:00:01Z ERROR a\n2026-05-04T10:15:00Z FATAL b\nx\n2026-05-04T10:zz ERROR no time\n2026-05-04T10:20:00Z INFO ERROR\n2026-05-04T10:59:00Z ERROR c\n"
errors_per_hour(StringIO.new(log)).each { |hour, n| puts "#{hour} #{n}" }
# snippet:prints 2026-05-04T10 2
# snippet:prints 2026-05-04T11 1
