# snippet:doc https://docs.julialang.org/en/v1/stdlib/SHA/ SHA
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
