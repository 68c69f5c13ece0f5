-- snippet:doc https://www.lua.org/manual/5.4/manual.html#3.3.5 The for statement
--- An averager over the last n readings in fixed memory: for sensors on small devices.
local function averager(n)
  local ring, sum, at, count = {}, 0.0, 0, 0 -- 0.0: a sum of large whole numbers would overflow
  return function(reading)
    at = at % n + 1
    sum = sum + reading - (ring[at] or 0)
    ring[at] = reading
    count = math.min(count + 1, n)
    if at == n then -- once a round, so that rounding errors do not add up
      sum = 0.0
      for i = 1, n do sum = sum + ring[i] end
    end
    return sum / count
  end
end

local smooth = averager(3)
for _, celsius in ipairs { 20, 22, 30, 20, 19 } do
  print(celsius, ("%.1f"):format(smooth(celsius)))
end
-- snippet:usage
local drifting = averager(2)
for _, x in ipairs { 1e17, 0.1, 0.1 } do drifting(x) end
print(("%.3f"):format(drifting(0.1)))
-- snippet:prints 20	20.0
-- snippet:prints 22	21.0
-- snippet:prints 30	24.0
-- snippet:prints 20	24.0
-- snippet:prints 19	23.0
-- snippet:prints 0.100
