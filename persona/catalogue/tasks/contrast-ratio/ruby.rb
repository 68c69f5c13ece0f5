# snippet:usage
# snippet:doc https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio WCAG 2.2: contrast ratio
# snippet:needs Ruby 3.0
# snippet:prints 21.0 true
# snippet:prints 4.48 false
# snippet:end
# The relative luminance of a colour such as "#767676", as WCAG defines it.
def luminance(hex)
  match = hex.match(/\A#(\h{2})(\h{2})(\h{2})\z/) or raise ArgumentError, "#{hex}: six hexadecimal digits after a #"
  red, green, blue = match.captures.map do |pair|
    channel = pair.hex / 255.0
    channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055)**2.4 # screens are not linear
  end
  0.2126 * red + 0.7152 * green + 0.0722 * blue
end

def contrast(one, other)
  darker, lighter = [luminance(one), luminance(other)].sort
  (lighter + 0.05) / (darker + 0.05)
end

def readable?(text, background, large: false) = contrast(text, background) >= (large ? 3 : 4.5)
# snippet:usage
[["#000000", "#ffffff"], ["#777777", "#ffffff"]].each { |pair| puts "#{contrast(*pair).round(2)} #{readable?(*pair)}" }
