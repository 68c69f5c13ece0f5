# snippet:needs Ruby 2.7
# snippet:doc https://docs.ruby-lang.org/en/master/String.html#method-i-each_line String#each_line
# A nested list of links to the headings from level 2 on, with the anchors that GitHub makes.
# A code fence begins its line, without a list marker, and no heading stands in an HTML comment.
def table_of_contents(markdown)
  seen = {}
  fence = nil
  markdown.each_line(chomp: true).filter_map do |line|
    if (mark = line.match(/\A {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)/))
      if fence.nil? then fence = mark[1]
      elsif mark[1].start_with?(fence) && mark[2].strip.empty? then fence = nil
      end
      next
    end
    next if fence || !(heading = line.match(/\A(\#{1,6})\s+(.+?)(?:\s+#+)?\s*\z/)) # "## C#" keeps its #

    slug = heading[2].downcase.gsub(/[^\p{Word}\- ]/, "").tr(" ", "-")
    anchor = slug
    anchor = "#{slug}-#{seen[slug] += 1}" while seen.key?(anchor) # the second "Install" is #install-1
    seen[anchor] = 0
    next if heading[1] == "#" # not in the list, but its anchor is taken

    "#{"  " * (heading[1].length - 2)}- [#{heading[2]}](##{anchor})"
  end
end
# snippet:usage
puts table_of_contents("# Guide\n## Install\n```sh\n## no heading\n```\n### On macOS & Linux\n## Install\n")
# snippet:prints - [Install](#install)
# snippet:prints   - [On macOS & Linux](#on-macos--linux)
# snippet:prints - [Install](#install-1)
# snippet:check
puts table_of_contents("# Last\n## Install\n```text\n## none either\n```\n## Install ##\n## C#\n## Install-1\n```no fence```\n## Last\n")
# snippet:prints - [Install](#install)
# snippet:prints - [Install](#install-1)
# snippet:prints - [C#](#c)
# snippet:prints - [Install-1](#install-1-1)
# snippet:prints - [Last](#last-1)
