# snippet:doc https://docs.ruby-lang.org/en/3.4/Hash.html#method-i-transform_values Hash#transform_values
points = {
  "Ada"  => { "essay" => 9, "lab" => 10, "exam" => 8 },
  "Ben"  => { "essay" => 7, "exam" => 6 },
  "Cleo" => { "essay" => 8, "lab" => 9, "exam" => 9 },
}
tasks = %w[essay lab exam]

averages = points.transform_values { |scores| scores.slice(*tasks).values.sum.fdiv(tasks.size) }
averages.sort_by { |name, mean| [-mean, name] }.each { |name, mean| puts format("%-5s %.1f", name, mean) }

points.each do |name, scores|
  missing = tasks - scores.keys
  puts "#{name} has not handed in: #{missing.join(', ')}" if missing.any?
end
# snippet:prints Ada   9.0
# snippet:prints Cleo  8.7
# snippet:prints Ben   4.3
# snippet:prints Ben has not handed in: lab
