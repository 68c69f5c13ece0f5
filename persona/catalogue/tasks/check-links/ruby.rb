# snippet:check
# snippet:doc https://docs.ruby-lang.org/en/master/Pathname.html Pathname
# snippet:prints docs/a_(b).md:2: gone.md does not exist
# snippet:prints docs/guide.md:2: setup.md does not exist
# snippet:prints docs/guide.md:6: ../CHANGES.md does not exist
# snippet:prints docs/guide.md:15: ../p.png does not exist
# snippet:end
require "pathname"
require "uri"

LINK = /\]\((?:<([^>#]+)|((?:\([^()\s]*\)|[^()\s<#])+))/ # the target up to an anchor
ADDRESS = %r{\A([a-z][a-z0-9+.-]*:|/)}i

# The relative links of Markdown files whose target does not exist.
def broken_links(root)
  Pathname(root).glob("**/*.md").sort.flat_map do |file|
    fence = ""
    file.each_line(encoding: "UTF-8").with_index(1).flat_map do |line, number|
      mark, info = line.match(/\A\s*(`{3,}(?=[^`]*$)|~{3,})\s*(.*)/)&.captures
      if mark && fence.empty? then fence = mark
      elsif mark&.start_with?(fence) && info.empty? then fence = "" # what opened a fence closes it
      end
      next [] unless fence.empty?

      targets = line.gsub(/`[^`]*`/, "").scan(LINK).flatten.compact.grep_v(ADDRESS)
      targets.reject { |target| (file.dirname + URI::DEFAULT_PARSER.unescape(target)).exist? }
             .map { |target| "#{file.relative_path_from(root)}:#{number}: #{target} does not exist" }
    end
  end
end
# snippet:check
require "tmpdir"
Dir.mktmpdir do |root|
  root = Pathname(root)
  (root + "docs").mkdir
  (root + "c++ notes.md").write("")
  (root + "README.md").write("[guide](docs/guide.md#start) [c++](c++%20notes.md) [site](https://example.com/x.md)")
  (root + "docs/a_(b).md").write("```not a fence```\n[gone](gone.md)\n")
  (root + "docs/100%.md").write("")
  (root + "docs/guide.md").write("[top](../README.md)\n[setup](setup.md)\n```\n[no](link.md)\n```\nsee [changes](<../CHANGES.md>) and `[a](b)`\n[n](<../c++ notes.md>) [up](#top) [p](a_(b).md) [q](100%.md)\n````\n```\n~~~\n[no](x.md)\n````sh\n[no](x.md)\n````\n[![p](../p.png)](guide.md)\n")
  puts broken_links(root)
end
