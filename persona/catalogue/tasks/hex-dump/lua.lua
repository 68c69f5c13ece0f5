-- snippet:needs Lua 5.2
-- snippet:doc https://www.lua.org/manual/5.4/manual.html#pdf-string.format string.format
--- Offset, bytes in hexadecimal and printable characters, sixteen to a row.
local function hex_dump(bytes)
  local rows = {}
  for at = 1, #bytes, 16 do
    local row = bytes:sub(at, at + 15)
    local hex = row:gsub(".", function(c) return ("%02x "):format(c:byte()) end)
    local text = row:gsub("[^\x20-\x7e]", ".")
    rows[#rows + 1] = ("%08x  %-48s %s"):format(at - 1, hex, text)
  end
  return table.concat(rows, "\n")
end

print(hex_dump("GIF89a\1\0\2\255 and then some"))
-- snippet:prints 00000000  47 49 46 38 39 61 01 00 02 ff 20 61 6e 64 20 74  GIF89a.... and t
-- snippet:prints 00000010  68 65 6e 20 73 6f 6d 65                          hen some
