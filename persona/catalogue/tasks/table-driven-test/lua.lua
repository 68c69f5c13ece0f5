-- snippet:doc https://www.lua.org/pil/20.2.html Patterns
local function initials(name)
  local out = {}
  for letter in name:gmatch("%f[%a](%a)") do
    out[#out + 1] = letter:upper()
  end
  return table.concat(out)
end

local cases = {
  { "two words", "Ada Lovelace", "AL" },
  { "lower case", "grace hopper", "GH" },
  { "extra spaces", "  Alan   Turing ", "AT" },
  { "nothing", "", "" },
}
for _, case in ipairs(cases) do
  local name, input, expected = table.unpack(case)
  local actual = initials(input)
  print(actual == expected and "ok  " or "FAIL", name, actual == expected and "" or "got " .. actual)
end
-- snippet:prints ok  	two words
-- snippet:prints ok  	lower case
-- snippet:prints ok  	extra spaces
-- snippet:prints ok  	nothing
