# snippet:usage
# snippet:doc https://docs.ruby-lang.org/en/master/Enumerator.html Enumerator
# snippet:end
# Yields name and sequence of each record, one at a time: only the longest has to fit into memory.
# Open files with "rb": a header may hold bytes that are not UTF-8.
def each_fasta(io)
  return enum_for(:each_fasta, io) unless block_given?

  name = nil
  sequence = +""
  io.each_line(chomp: true).with_index(1) do |line, number|
    if line.start_with?(">")
      yield name, sequence if name
      name = line[1..].split.first.to_s
      sequence = +""
    elsif !line.strip.empty?
      raise ArgumentError, "line #{number}: sequence before the first header" unless name

      sequence << line.strip
    end
  end
  yield name, sequence if name
end
# snippet:usage
# snippet:prints ["seq1", "ACGTAC"]
# snippet:prints ["seq2", "GG"]
# snippet:prints line 1: sequence before the first header
require "stringio"
each_fasta(StringIO.new(">seq1 first one\nACGT\nAC\n\n>seq2\nGG\n")) { |*record| p record }
begin
  each_fasta(StringIO.new("ACGT\n")).first
rescue ArgumentError => e
  puts e.message
end
