# snippet:doc https://docs.ruby-lang.org/en/master/Struct.html Struct
Choice = Struct.new(:text, :to, :needs, keyword_init: true)
Line = Struct.new(:text, :choices) # choices: [] where the dialogue ends

class Story
  def initialize(lines)
    @lines = lines
  end

  # Choices that lead nowhere: to be looked for when the story is loaded.
  def dead_ends
    @lines.flat_map do |name, line|
      missing = line.choices.map(&:to).reject { |to| @lines.key?(to) }
      missing.map { |to| "#{name} -> #{to}, which is missing" }
    end
  end

  def choices(name, items)
    @lines.fetch(name).choices.select { |choice| choice.needs.nil? || items.include?(choice.needs) }
  end
end
# snippet:usage
leave = Choice.new(text: "Leave", to: "road")
unlock = Choice.new(text: "Unlock the gate", to: "cellar", needs: "key")
story = Story.new("gate" => Line.new("A gate.", [leave, unlock]), "road" => Line.new("A road.", []))
puts story.dead_ends
p story.choices("gate", []).map(&:text)
p story.choices("gate", ["key"]).map(&:text)
# snippet:prints gate -> cellar, which is missing
# snippet:prints ["Leave"]
# snippet:prints ["Leave", "Unlock the gate"]
