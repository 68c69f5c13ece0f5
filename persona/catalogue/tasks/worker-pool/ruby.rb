# snippet:needs Ruby 3.1
# snippet:doc https://docs.ruby-lang.org/en/3.4/Thread/Queue.html Thread::Queue
# Maps with a few threads; results keep the order, and after an error no other item is begun.
def parallel_map(items, threads: 4)
  raise ArgumentError, "threads: expected 1 or more" if threads < 1

  jobs = Thread::Queue.new(items.each_with_index.to_a).close
  results = Array.new(items.size)
  workers = Array.new(threads) do
    Thread.new do
      Thread.current.report_on_exception = false
      while (item, index = jobs.pop)
        results[index] = yield item
      end
    ensure
      jobs.clear # empty anyway, if there was no error
    end
  end
  workers.each(&:join) # raises what a worker raised
  results
end
# snippet:check
p(parallel_map([3, 1, 2]) { |n| sleep n / 100.0; n * n })
begin
  parallel_map((1..9).to_a, threads: 2) { |n| n == 2 ? raise(ArgumentError, "no #{n}") : n }
rescue ArgumentError => e
  puts e.message
end
begin
  parallel_map([1], threads: 0) { |n| n }
rescue ArgumentError => e
  puts e.message
end
# snippet:prints [9, 1, 4]
# snippet:prints no 2
# snippet:prints threads: expected 1 or more
