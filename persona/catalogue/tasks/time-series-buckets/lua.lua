-- snippet:doc https://www.lua.org/manual/5.4/manual.html#3.4.1 Integer division
-- snippet:needs Lua 5.3
--- Readings as { time, value }; equal intervals with count, mean and maximum, gaps included.
local function buckets(readings, seconds)
  local groups, first, last = {}, math.huge, -math.huge
  for _, reading in ipairs(readings) do
    local time, value = reading[1], reading[2]
    local slot = time // seconds
    local g = groups[slot] or { count = 0, sum = 0.0, max = -math.huge }
    g.count, g.sum, g.max = g.count + 1, g.sum + value, math.max(g.max, value)
    groups[slot] = g
    first, last = math.min(first, slot), math.max(last, slot)
  end
  local out = {}
  for slot = first, last do
    local g, start = groups[slot], slot * seconds
    out[#out + 1] = g and { start = start, count = g.count, mean = g.sum / g.count, max = g.max }
      or { start = start, count = 0 }
  end
  return out
end
-- snippet:usage
for _, b in ipairs(buckets({ { 0, 20 }, { 30, 22 }, { 130, 25.5 } }, 60)) do
  print(b.start, b.count, b.mean, b.max)
end
-- snippet:prints 0	2	21.0	22
-- snippet:prints 60	0	nil	nil
-- snippet:prints 120	1	25.5	25.5
