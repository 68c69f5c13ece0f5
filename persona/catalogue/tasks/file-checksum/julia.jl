# snippet:doc https://docs.julialang.org/en/v1/stdlib/SHA/ SHA
using SHA

"The file's SHA-256 in hexadecimal; it is read in blocks, however large it is."
checksum(path) = bytes2hex(open(sha256, path))

"The names in a SHA256SUMS list whose files are missing or not what they were."
function changed_files(list)
    changed = String[]
    for line in eachline(list)
        m = match(r"^([0-9a-f]{64}) [ *](.+)$", line)
        isnothing(m) && error("$list: not a line of a checksum list: $line")
        expected, name = m.captures
        path = joinpath(dirname(list), name)
        isfile(path) && checksum(path) == expected || push!(changed, name)
    end
    return changed
end
