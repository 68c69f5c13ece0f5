-- snippet:doc https://www.lua.org/manual/5.4/manual.html#6.5 UTF-8 support
-- snippet:needs Lua 5.3
local function initials(name)
  local out = {}
  for word in name:gmatch("%S+") do
    out[#out + 1] = word:match(utf8.charpattern):upper() -- only ASCII has an upper case here
  end
  return table.concat(out)
end

local cases = {
  { name = "two words", input = "Ada Lovelace", want = "AL" },
  { name = "lower case", input = "grace hopper", want = "GH" },
  { name = "apostrophe", input = "Conan O'Brien", want = "CO" },
  { name = "an accent", input = "Élodie Zola", want = "ÉZ" },
  { name = "extra spaces", input = "  Alan   Turing ", want = "AT" },
  { name = "nothing", input = "", want = "" },
}
local failures = 0
for _, case in ipairs(cases) do
  local got = initials(case.input)
  if got ~= case.want then
    failures = failures + 1
    print(("FAIL %s: got %q instead of %q"):format(case.name, got, case.want))
  end
end
print(("%d cases, %d failed"):format(#cases, failures))
os.exit(failures == 0) -- a failure must be seen by whoever runs the tests
-- snippet:prints 6 cases, 0 failed
