# snippet:doc https://docs.julialang.org/en/v1/stdlib/SHA/ SHA
# snippet:prints 1e3e30cf01655b70ba0ce55f8a9b13c7edabaf5c12718b3bfb74063fa5712d99
# snippet:prints 022a6979e6dab7aa5ae4c3e5e45f7e977112a7e63593820dbec1ec738a24f93c 4ae191939f548d9934740b88dea2c5cb89bb8870fc4505cd79dec6bbfaaee9cb
# snippet:prints there are no records
using SHA

# Leaves and nodes are hashed with different first bytes, so that a node cannot pass for a leaf (RFC 6962).
leaf_hash(record) = sha256([0x00; codeunits(record)])
node_hash(left, right) = sha256([0x01; left; right])

"One hash, in hexadecimal, that stands for all records."
function merkle_root(records)
    isempty(records) && throw(ArgumentError("there are no records"))
    level = map(leaf_hash, records)
    while length(level) > 1
        level = map(Iterators.partition(level, 2)) do pair
            length(pair) == 2 ? node_hash(pair...) : only(pair) # a single one moves up
        end
    end
    return bytes2hex(only(level))
end

merkle_root(["alice 5", "bob 7", "carol 1"])

# snippet:check
println(merkle_root(["alice 5", "bob 7", "carol 1"]))
println(merkle_root(["a"]), ' ', merkle_root(string.('a':'g')))
try
    merkle_root(String[])
catch error
    println(error.msg)
end
