# snippet:usage
# snippet:doc https://docs.ruby-lang.org/en/master/Regexp.html Regexp
# snippet:prints guide.md:1: "Log-in": write "sign in"
# snippet:prints guide.md:3: "e.g.": write "for example"
# snippet:end
# What the style guide rules out, and what to write instead.
TERMS = { "log-in" => "sign in", "e.g." => "for example", "whitelist" => "allowlist" }.freeze
# Whole words in any case. \b fails behind a full stop, so the neighbours are looked at instead.
FORBIDDEN = /(?<![\p{Word}-])(?:#{Regexp.union(TERMS.keys).source})(?![\p{Word}-])/i

def findings(name, text)
  text.scrub.each_line.with_index(1).flat_map do |line, number|
    prose = line.gsub(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/, "``") # a command is called what it is called
    prose.scan(FORBIDDEN).map do |term|
      "#{name}:#{number}: #{term.inspect}: write #{TERMS.fetch(term.downcase(:fold)).inspect}"
    end
  end
end
# snippet:usage
puts findings("guide.md", "Log-in now.\nRun `whitelist add` or ``whitelist ` ``; blog-ins stay.\nTools, e.g. make.\n")
