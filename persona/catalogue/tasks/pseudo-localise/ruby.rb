# snippet:check
# snippet:doc https://docs.ruby-lang.org/en/master/String.html#method-i-gsub String#gsub
# snippet:prints [%d öf %-5s, %05.2f, 100%% šüřé ~~~~~~]
# snippet:prints [Ĥéļļö %{name}, ýöü ĥåṽé <b>%{count}</b> ñéŵš ~~~~~~~~]
# snippet:end
PLAIN = "aceghilnorsuvwyACEGHILNORSUVWY"
ACCENTED = "åçéĝĥïļñöřšüṽŵýÅÇÉĜĤÏĻÑÖŘŠÜṼŴÝ"
# placeholders as format knows them, tags and entities
PROTECTED = /%\{\w+\}|%(?:<\w+>)?[-+0#]*\d*(?:\.\d+)?[a-z%]|<[^>]+>|&\w+;/i

# Accents on letters, a third more length, and brackets round it all.
def pseudo_localise(message)
  accented = message.gsub(/#{PROTECTED}|[a-z]+/i) do |part|
    part.match?(/\A#{PROTECTED}\z/) ? part : part.tr(PLAIN, ACCENTED)
  end
  visible = message.gsub(PROTECTED, "").length
  "[#{accented} #{"~" * (visible / 3.0).ceil}]"
end
# snippet:check
puts pseudo_localise("%d of %-5s, %05.2f, 100%% sure")
puts pseudo_localise("Hello %{name}, you have <b>%{count}</b> news")
