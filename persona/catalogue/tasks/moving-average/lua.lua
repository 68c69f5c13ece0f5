-- snippet:doc https://www.lua.org/manual/5.4/manual.html#3.3.5 The for statement
--- An averager over the last n readings in fixed memory: for sensors on small devices.
local function averager(n)
  local ring, sum, at, count = {}, 0, 0, 0
  return function(reading)
    at = at % n + 1
    sum = sum + reading - (ring[at] or 0)
    ring[at] = reading
    count = math.min(count + 1, n)
    return sum / count
  end
end

local smooth = averager(3)
for _, celsius in ipairs { 20, 22, 30, 20, 19 } do
  print(celsius, ("%.1f"):format(smooth(celsius)))
end
-- snippet:prints 20	20.0
-- snippet:prints 22	21.0
-- snippet:prints 30	24.0
-- snippet:prints 20	24.0
-- snippet:prints 19	23.0
