# snippet:doc https://docs.julialang.org/en/v1/base/collections/ Collections
# snippet:prints (added = ["db2"], removed = ["web2"], changed = ["web1"])
# snippet:prints true
"""
    compare(before, after; key)

The keys of the records that were added, removed or changed between two lists, each key once in a list.
A record is a named tuple, or something else that `isequal` compares by its values.
"""
function compare(before, after; key)
    old = Dict(key(record) => record for record in before)
    new = Dict(key(record) => record for record in after)
    both = intersect(keys(old), keys(new))
    return (
        added = sort!(collect(setdiff(keys(new), keys(old)))),
        removed = sort!(collect(setdiff(keys(old), keys(new)))),
        changed = sort!([k for k in both if !isequal(old[k], new[k])]),
    )
end

monday = [(host = "web1", cores = 4), (host = "web2", cores = 4), (host = "db1", cores = 16)]
today = [(host = "web1", cores = 8), (host = "db1", cores = 16), (host = "db2", cores = 16)]
compare(monday, today; key = record -> record.host)
# (added = ["db2"], removed = ["web2"], changed = ["web1"])

# snippet:usage
println(compare(monday, today; key = record -> record.host))
println(all(isempty, compare(today, reverse(today); key = record -> record.host)))
