# snippet:usage
# snippet:doc https://docs.ruby-lang.org/en/master/String.html#method-i-gsub String#gsub
# snippet:prints [&#xe9; öñ ~]
# snippet:prints [%1$s ĥåš %2$-5s åñd % d, %-8<name>s, %*d ~~~~~]
# snippet:prints [%d öf %-5s, %05.2f, 100%% šüřé ~~~~~~]
# snippet:prints [Ĥéļļö %{name}, ýöü ĥåṽé <b>%{count}</b> ñéŵš ~~~~~~~~]
# snippet:end
PLAIN = "aceghilnorsuvwyACEGHILNORSUVWY"
ACCENTED = "åçéĝĥïļñöřšüṽŵýÅÇÉĜĤÏĻÑÖŘŠÜṼŴÝ"
# placeholders as format knows them, tags and entities
PROTECTED = /%[-+# *\d.$]*(?:\{\w+\}|(?:<\w+>[-+# *\d.]*)?[a-z%])|<\/?\w[^<>]*>|&#?\w+;/i

# Accents on letters, a third more length, and brackets round it all.
def pseudo_localise(message)
  accented = message.gsub(/#{PROTECTED}|[a-z]+/i) do |part|
    part.match?(/\A#{PROTECTED}\z/) ? part : part.tr(PLAIN, ACCENTED)
  end
  visible = message.gsub(PROTECTED, "").length
  "[#{accented} #{"~" * (visible / 3.0).ceil}]"
end
# snippet:usage
puts pseudo_localise("&#xe9; on")
puts pseudo_localise("%1$s has %2$-5s and % d, %-8<name>s, %*d")
puts pseudo_localise("%d of %-5s, %05.2f, 100%% sure")
puts pseudo_localise("Hello %{name}, you have <b>%{count}</b> news")
