# snippet:check
# snippet:doc https://docs.ruby-lang.org/en/master/String.html#method-i-gsub String#gsub
# snippet:prints [Ĥéļļö %{name}, ýöü ĥåṽé <b>%{count}</b> ñéŵš ~~~~~~~~]
# snippet:end
PLAIN = "aceghilnorsuvwyACEGHILNORSUVWY"
ACCENTED = "åçéĝĥïļñöřšüṽŵýÅÇÉĜĤÏĻÑÖŘŠÜṼŴÝ"
PROTECTED = /%\{\w+\}|%<\w+>\w|<[^>]+>|&\w+;/ # placeholders, tags and entities

# Accents on letters, a third more length, and brackets round it all.
def pseudo_localise(message)
  accented = message.gsub(/#{PROTECTED}|[a-z]+/i) do |part|
    part.match?(/\A#{PROTECTED}\z/) ? part : part.tr(PLAIN, ACCENTED)
  end
  visible = message.gsub(PROTECTED, "").length
  "[#{accented} #{"~" * (visible / 3.0).ceil}]"
end
# snippet:check
puts pseudo_localise("Hello %{name}, you have <b>%{count}</b> news")
