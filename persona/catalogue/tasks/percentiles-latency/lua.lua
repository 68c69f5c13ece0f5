-- snippet:doc https://www.lua.org/manual/5.4/manual.html#pdf-table.sort table.sort
--- The smallest value that at least the given share of all values does not exceed (nearest rank).
local function percentile(values, share)
  assert(#values > 0, "no values")
  local sorted = table.move(values, 1, #values, 1, {})
  table.sort(sorted)
  return sorted[math.max(1, math.ceil(share * #sorted))]
end

local ms = { 12, 15, 11, 14, 13, 12, 240, 13, 12, 16, 14, 13, 900, 12, 15, 13, 14, 12, 13, 15 }
for _, share in ipairs { 0.5, 0.95, 0.99 } do
  print(("p%-3.0f %4g ms"):format(share * 100, percentile(ms, share)))
end
-- snippet:prints p50    13 ms
-- snippet:prints p95   240 ms
-- snippet:prints p99   900 ms
