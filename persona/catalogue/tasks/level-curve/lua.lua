-- snippet:usage
-- snippet:doc https://www.lua.org/manual/5.4/manual.html#pdf-math.floor math.floor
-- snippet:needs Lua 5.3
-- snippet:end
--- The experience that each level takes in all; level 1 is free.
local function level_curve(base, exponent, last)
  local needed = {}
  for level = 1, last do
    needed[level] = math.floor(base * (level - 1) ^ exponent + 0.5)
  end
  return needed
end

--- The level of a total, found in the table itself: the two agree.
local function level_of(needed, experience)
  local low, high = 1, #needed
  while low < high do -- the last level that the experience is enough for
    local middle = (low + high + 1) // 2
    if needed[middle] <= experience then low = middle else high = middle - 1 end
  end
  return low
end
-- snippet:usage
-- snippet:prints 2: 100, 3: 283, 4: 520
local curve = level_curve(100, 1.5, 50)
print(("2: %d, 3: %d, 4: %d"):format(curve[2], curve[3], curve[4]))
-- snippet:check
-- snippet:prints 1 1 2 2 50
print(table.concat({ level_of(curve, 0), level_of(curve, 99), level_of(curve, 100), level_of(curve, 282), level_of(curve, 1e9) }, " "))
