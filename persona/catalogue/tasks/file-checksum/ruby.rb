# snippet:doc https://docs.ruby-lang.org/en/3.4/Digest.html Digest
require "digest"

# Verifies files against a list as sha256sum writes it: "<hex>  <name>" per line.
def verify(list)
  list.b.each_line(chomp: true).to_h do |line| # bytes, because a name need not be UTF-8
    expected, name = line.match(/\A(\h{64}) [ *](.+)\z/)&.captures || raise("not a checksum line: #{line}")
    actual = Digest::SHA256.file(name).hexdigest # reads in blocks, whatever the size
    [name, actual == expected.downcase]
  rescue SystemCallError # missing, a folder, or not to be read
    [name, false]
  end
end
# snippet:check
File.write("a.txt", "hello")
File.write("n\xE9", "")
sum = Digest::SHA256.hexdigest("hello")
p verify("#{Digest::SHA256.hexdigest("")}  n\xE9\n").values
verify("#{sum}  a.txt\n#{sum.upcase} *a.txt\n#{sum}  missing.txt\n").each { |name, ok| puts "#{name} #{ok}" }
p verify("#{sum}  .\n").values
# snippet:prints [true]
# snippet:prints a.txt true
# snippet:prints missing.txt false
# snippet:prints [false]
