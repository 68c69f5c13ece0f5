-- snippet:doc https://www.lua.org/pil/20.2.html Patterns
local function initials(name)
  local out = {}
  for letter in name:gmatch("%f[%w'](%a)") do
    out[#out + 1] = letter:upper()
  end
  return table.concat(out)
end

local cases = {
  { name = "two words", input = "Ada Lovelace", want = "AL" },
  { name = "lower case", input = "grace hopper", want = "GH" },
  { name = "apostrophe", input = "Conan O'Brien", want = "CO" },
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
-- snippet:prints 5 cases, 0 failed
