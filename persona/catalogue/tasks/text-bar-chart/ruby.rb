# snippet:doc https://docs.ruby-lang.org/en/3.4/String.html#method-i-ljust String#ljust
def bar_chart(values, width: 30)
  most = values.values.max
  label = values.keys.map(&:length).max
  values.map do |name, value|
    bar = "█" * (most.positive? ? ([value, 0].max.fdiv(most) * width).round : 0)
    "#{name.ljust(label)}  #{bar} #{value}"
  end.join("\n")
end

puts bar_chart({ "Mon" => 1200, "Tuesday" => 1850, "Wed" => 640, "Thu" => -0.5 })
# snippet:prints Mon      ███████████████████ 1200
# snippet:prints Tuesday  ██████████████████████████████ 1850
# snippet:prints Wed      ██████████ 640
# snippet:prints Thu       -0.5
