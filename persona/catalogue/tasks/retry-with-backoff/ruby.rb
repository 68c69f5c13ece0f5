# snippet:doc https://docs.ruby-lang.org/en/3.4/syntax/exceptions_rdoc.html Exceptions and retry
require "timeout"

# Full jitter: clients that failed together do not come back together.
def with_retries(attempts: 5, base: 0.2, longest: 10.0, on: [IOError, Errno::ECONNREFUSED, Timeout::Error])
  attempt = 0
  begin
    attempt += 1
    yield attempt
  rescue *on
    raise if attempt >= attempts

    sleep rand * [longest, base * 2**(attempt - 1)].min
    retry
  end
end
# snippet:usage
puts with_retries(base: 0.001) { |n| n < 3 ? raise(IOError) : "done after #{n}" }
begin
  with_retries(attempts: 2, base: 0.001) { raise IOError, "still down" }
rescue IOError => e
  puts e.message
end
# snippet:prints done after 3
# snippet:prints still down
