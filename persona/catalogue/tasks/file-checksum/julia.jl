# snippet:doc https://docs.julialang.org/en/v1/stdlib/SHA/ SHA
# snippet:prints ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad
# snippet:prints ["b.txt", "gone.txt"]
# snippet:prints list.txt: not a line of a checksum list: abc  a.txt
# snippet:prints . is a folder
using SHA

"The file's SHA-256 in hexadecimal; it is read in blocks, however large it is."
checksum(path) = isdir(path) ? error("$path is a folder") : bytes2hex(open(sha256, path))

"The names in a SHA256SUMS list whose files are missing or not what they were."
function changed_files(list)
    changed = String[]
    for line in eachline(list)
        m = match(r"^([0-9a-f]{64}) [ *](.+)$"i, line)
        isnothing(m) && error("$list: not a line of a checksum list: $line")
        expected, name = m.captures
        path = joinpath(dirname(list), name)
        isfile(path) && checksum(path) == lowercase(expected) || push!(changed, name)
    end
    return changed
end

# snippet:usage
write("a.txt", "abc")
write("b.txt", "abd")
println(checksum("a.txt"))
abc = checksum("a.txt")
write("SHA256SUMS", "$abc  a.txt\n$abc *b.txt\n$abc  gone.txt\n")
println(changed_files("SHA256SUMS"))
write("list.txt", "abc  a.txt\n")
for attempt in (() -> changed_files("list.txt"), () -> checksum("."))
    try
        attempt()
    catch error
        println(error.msg)
    end
end
