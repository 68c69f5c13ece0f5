# snippet:doc https://docs.ruby-lang.org/en/3.4/Hash.html Hash
# What has to be done to get from one state to the other; both are { key => record }.
def diff(actual, desired)
  {
    create: desired.reject { |key, _| actual.key?(key) },
    delete: actual.keys - desired.keys,
    update: desired.select { |key, record| actual.key?(key) && actual[key] != record },
  }
end

actual  = { "web" => { cpu: 1 }, "db" => { cpu: 4 }, "old" => { cpu: 1 } }
desired = { "web" => { cpu: 2 }, "db" => { cpu: 4 }, "cache" => { cpu: 1 } }
diff(actual, desired).each { |kind, what| puts "#{kind}: #{what.to_a.flatten.first}" }
# snippet:prints create: cache
# snippet:prints delete: old
# snippet:prints update: web
