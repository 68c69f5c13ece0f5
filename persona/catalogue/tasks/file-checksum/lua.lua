-- snippet:doc https://www.lua.org/manual/5.4/manual.html#3.4.2 Bitwise operators
-- snippet:description Compute the CRC-32 of a file with a table of 256 entries. The file is read in blocks, so memory does not
-- snippet:description grow with its size. A CRC finds accidental damage; anyone can forge it.
-- snippet:why Accidental damage can be found before the file is used.
-- snippet:needs Lua 5.4
-- snippet:title Checksum a file with CRC-32
local CRC = {}
for i = 0, 255 do
  local c = i
  for _ = 1, 8 do
    c = (c & 1) == 1 and (c >> 1) ~ 0xEDB88320 or c >> 1
  end
  CRC[i] = c
end

--- The CRC-32 of a file, read in blocks: finds damage, not forgery.
local function crc32(path)
  local file <close> = assert(io.open(path, "rb"))
  local crc = 0xFFFFFFFF
  for block in file:lines(8192) do
    for i = 1, #block do
      crc = (crc >> 8) ~ CRC[(crc ~ block:byte(i)) & 0xFF]
    end
  end
  return crc ~ 0xFFFFFFFF
end
-- snippet:check
local f = assert(io.open("a.txt", "wb"))
f:write("123456789")
f:close()
print(("%08x"):format(crc32("a.txt")))
print((select(2, pcall(crc32, "missing.txt"))):match("missing.*"))
-- snippet:prints cbf43926
-- snippet:prints missing.txt: No such file or directory
