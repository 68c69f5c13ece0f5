-- snippet:doc https://www.lua.org/manual/5.4/manual.html#6.4.2 string.pack
-- snippet:needs Lua 5.3
--- CRC-16/CCITT-FALSE: polynomial 0x1021, start value 0xFFFF.
local function crc16(data)
  local crc = 0xFFFF
  for i = 1, #data do
    crc = crc ~ data:byte(i) << 8
    for _ = 1, 8 do
      crc = (crc & 0x8000) ~= 0 and (crc << 1 ~ 0x1021) & 0xFFFF or crc << 1
    end
  end
  return crc
end

local function frame(payload)
  return string.pack(">s1 I2", payload, crc16(payload)) -- length byte, payload, CRC
end

local function payload_of(bytes)
  local whole, payload, crc, rest = pcall(string.unpack, ">s1 I2", bytes) -- too short is an error
  if not whole or rest <= #bytes or crc ~= crc16(payload) then return nil, "damaged on its way" end
  return payload
end
-- snippet:check
print(("%04X"):format(crc16("123456789"))) -- the catalogue value is 29B1
local good = frame("on")
print(payload_of(good))
print(payload_of((good:gsub("on", "oo"))))
print(payload_of(good:sub(1, 3)))
print(payload_of(good .. "!"))
-- snippet:prints 29B1
-- snippet:prints on
-- snippet:prints nil	damaged on its way
-- snippet:prints nil	damaged on its way
-- snippet:prints nil	damaged on its way
