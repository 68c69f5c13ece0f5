# snippet:usage
# snippet:description Pick a text by the plural category of a whole number, with the rules of the Unicode CLDR for French, Japanese and
# snippet:description Polish, and that of English for all other languages. A catalogue without the category falls back to "other", which
# snippet:description every language has. The number has its place inside the text, so translators see the whole of it.
# snippet:doc https://www.unicode.org/cldr/charts/latest/supplemental/language_plural_rules.html CLDR plural rules
# snippet:needs Ruby 3.1
# snippet:prints 1 plik, 3 pliki, 5 plików, 12 plików, 22 pliki
# snippet:prints 1 file, 2 files
# snippet:end
# Whole numbers from 0; each rule returns the CLDR category of a number.
PLURAL_RULES = Hash.new(->(n) { n == 1 ? :one : :other }).merge(
  "fr" => lambda do |n|
    if n <= 1 then :one
    else (n % 1_000_000).zero? ? :many : :other # un million de fichiers
    end
  end,
  "ja" => ->(_) { :other },
  "pl" => lambda do |n|
    case [n, n % 10, n % 100]
    in [1, *] then :one
    in [_, 2..4, ...12 | 15..] then :few
    else :many
    end
  end
)

# A per cent sign in a text is written %%.
def pluralise(language, forms, count)
  category = PLURAL_RULES[language].call(count)
  format(forms.fetch(category) { forms.fetch(:other) }, count:)
end
# snippet:usage
polish = { one: "%<count>d plik", few: "%<count>d pliki", many: "%<count>d plików", other: "%<count>d pliku" }
puts [1, 3, 5, 12, 22].map { |n| pluralise("pl", polish, n) }.join(", ")
puts [1, 2].map { |n| pluralise("en", { one: "%<count>d file", other: "%<count>d files" }, n) }.join(", ")
