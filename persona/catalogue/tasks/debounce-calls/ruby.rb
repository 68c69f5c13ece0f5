# snippet:doc https://docs.ruby-lang.org/en/3.4/Thread/Mutex.html Thread::Mutex
# Runs the block once a burst of calls has been quiet for a while, with the latest value.
# Each call waits in a thread of its own.
class Debouncer
  def initialize(quiet, &action)
    @quiet = quiet
    @action = action
    @lock = Mutex.new
    @generation = 0
  end

  def call(value)
    mine = @lock.synchronize { @generation += 1 }
    Thread.new do
      sleep @quiet
      @action.call(value) if @lock.synchronize { @generation == mine } # no later call came
    end
  end
end
# snippet:check
search = Debouncer.new(0.1) { |text| puts "search #{text}" }
%w[r ru ruby].map { |text| search.call(text) }.each(&:join)
search.call("again").join
# snippet:prints search ruby
# snippet:prints search again
