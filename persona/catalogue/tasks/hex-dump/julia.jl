# snippet:doc https://docs.julialang.org/en/v1/base/iterators/#Base.Iterators.partition Iterators.partition
# snippet:prints 00000000  47 49 46 38 39 61 01 00 02 20 61 6e 64 20 74 68  GIF89a... and th
# snippet:prints 00000010  65 6e 20 73 6f 6d 65                             en some
"Offset, bytes in hexadecimal and printable characters, sixteen to a row."
function hex_dump(io::IO, bytes)
    for (row, chunk) in enumerate(Iterators.partition(bytes, 16))
        offset = string(16(row - 1); base = 16, pad = 8)
        hex = join((string(byte; base = 16, pad = 2) for byte in chunk), ' ')
        text = map(byte -> 0x20 <= byte <= 0x7e ? Char(byte) : '.', chunk)
        println(io, offset, "  ", rpad(hex, 47), "  ", join(text))
    end
end

hex_dump(stdout, codeunits("GIF89a\x01\x00\x02 and then some"))
