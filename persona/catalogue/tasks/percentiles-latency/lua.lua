-- snippet:needs Lua 5.3
-- snippet:doc https://www.lua.org/manual/5.4/manual.html#pdf-table.sort table.sort
--- The smallest value that at least the given percentage of all values does not exceed (nearest rank, 0 to 100).
local function percentile(values, percent)
  assert(#values > 0, "no values")
  local sorted = table.move(values, 1, #values, 1, {})
  table.sort(sorted)
  return sorted[math.max(1, math.ceil(percent * #sorted / 100 - 1e-7))] -- 99.9 * 41000 / 100 is above 40959
end

local ms = { 12, 15, 11, 14, 13, 12, 240, 13, 12, 16, 14, 13, 900, 12, 15, 13, 14, 12, 13, 15 }
for _, percent in ipairs { 50, 95, 99 } do
  print(("p%-3g %4g ms"):format(percent, percentile(ms, percent)))
end
-- snippet:prints p50    13 ms
-- snippet:prints p95   240 ms
-- snippet:prints p99   900 ms
-- snippet:check
local many = {}
for i = 1, 41000 do many[i] = i end
assert(percentile(many, 99.9) == 40959)
