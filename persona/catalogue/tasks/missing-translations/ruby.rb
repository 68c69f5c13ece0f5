# snippet:usage
# snippet:doc https://docs.ruby-lang.org/en/master/Psych.html Psych (YAML)
# snippet:needs Ruby 3.0
# snippet:end
require "yaml"

PLACEHOLDER = /%[{<](\w+)[}>]/ # %{name} and %<count>d

# One level: {"cart" => {"empty" => "..."}} becomes {"cart.empty" => "..."}.
def flatten(tree, prefix = nil)
  (tree || {}).each_with_object({}) do |(key, value), flat|
    path = [prefix, key].compact.join(".")
    value.is_a?(Hash) ? flat.merge!(flatten(value, path)) : flat[path] = value.to_s
  end
end

# The keys that have a text: one that was left empty is missing, too.
def written(texts) = texts.keys.reject { |key| texts[key].strip.empty? }

# Both are what stands below the locale, as in YAML.load_file("de.yml")["de"], and have the same plural forms.
def problems(source, translation)
  source, translation = flatten(source), flatten(translation)
  found = (written(source) - written(translation)).map { |key| "#{key}: missing" }
  found += (translation.keys - source.keys).map { |key| "#{key}: not used any more" }
  (written(source) & written(translation)).each do |key|
    wanted, got = [source, translation].map { |texts| texts[key].scan(PLACEHOLDER).flatten.sort }
    found << "#{key}: placeholders {#{got.join(", ")}} instead of {#{wanted.join(", ")}}" if got != wanted
  end
  found.sort
end
# snippet:usage
# snippet:prints cart.empty: missing
# snippet:prints cart.old: not used any more
# snippet:prints cart.pay: missing
# snippet:prints cart.tax: missing
# snippet:prints greeting: placeholders {} instead of {name}
# snippet:check
raise unless problems({ "a" => "" }, { "a" => "A" }) == [] && problems({ "a" => "A" }, nil) == ["a: missing"]
raise unless problems({ "a" => "%<n>d" }, { "a" => "%<m>d" }) == ["a: placeholders {m} instead of {n}"]

# snippet:usage
puts problems(YAML.safe_load("greeting: Hello %{name}\ncart:\n  empty: Empty\n  pay: Pay\n  tax: Tax\n  full: Full"),
              YAML.safe_load("greeting: Hallo\ncart:\n  full: Voll\n  pay:\n  tax: ' '\n  old: Alt"))
