-- snippet:doc https://www.lua.org/manual/5.4/manual.html#pdf-os.time os.time
-- snippet:needs Lua 5.3
local DAY = 24 * 60 * 60

local function noon(date)
  local y, m, d = date:match("^(%d+)-(%d+)-(%d+)$")
  return os.time { year = y, month = m, day = d, hour = 12 } -- noon is safe from clock changes
end

--- Working days from the first day up to and including the last; dates as YYYY-MM-DD, and ones that exist:
--- 30 February would be 2 March.
local function business_days(first, last, holidays)
  local count = 0
  for time = noon(first), noon(last) + DAY // 2, DAY do
    local weekday = os.date("*t", time).wday -- 1 is Sunday, 7 is Saturday
    if weekday ~= 1 and weekday ~= 7 and not holidays[os.date("%Y-%m-%d", time)] then
      count = count + 1
    end
  end
  return count
end

print(business_days("2026-12-21", "2027-01-04", { ["2026-12-25"] = true, ["2027-01-01"] = true }))
-- snippet:prints 9
