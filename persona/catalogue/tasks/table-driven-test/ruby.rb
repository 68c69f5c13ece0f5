# snippet:doc https://docs.seattlerb.org/minitest/ Minitest
require "minitest/autorun"

def initials(name) = name.scan(/(?<!\S)\p{L}/).join.upcase

class InitialsTest < Minitest::Test
  {
    "two words"    => ["Ada Lovelace", "AL"],
    "lower case"   => ["grace hopper", "GH"],
    "accents"      => ["émile zola", "ÉZ"],
    "apostrophe"   => ["Conan O'Brien", "CO"],
    "extra spaces" => ["  Alan   Turing ", "AT"],
    "nothing"      => ["", ""],
  }.each do |name, (input, expected)|
    define_method("test_#{name.tr(' ', '_')}") do
      assert_equal expected, initials(input)
    end
  end
end
# snippet:check
Minitest.reporter&.reporters&.clear
module Minitest
  def self.plugin_quiet_init(options) = (reporter.reporters.replace([SummaryOf.new]))
  class SummaryOf < AbstractReporter
    def initialize = (@n = @bad = 0)
    def record(result) = (@n += 1; @bad += 1 unless result.passed?)
    def report = puts("#{@n} tests, #{@bad} failures")
    def passed? = @bad.zero?
  end
  extensions << "quiet"
end
# snippet:prints 6 tests, 0 failures
