-- snippet:usage
-- snippet:doc https://www.lua.org/manual/5.4/manual.html#6.7 math.random
-- snippet:end
local PityDrop = {}
PityDrop.__index = PityDrop

--- A drop with a chance per try, from 0 to 1, that is certain at the given try.
function PityDrop.new(chance, limit)
  return setmetatable({ chance = chance, limit = limit, failures = 0 }, PityDrop)
end

--- Whether this try succeeds. The random function returns 0 or more, but less than 1.
function PityDrop:try(random)
  self.failures = self.failures + 1
  if self.failures >= self.limit or (random or math.random)() < self.chance then
    self.failures = 0 -- save this number with the player, or a restart resets their luck
    return true
  end
  return false
end

--- The mean number of tries: each is made if all before it failed.
function PityDrop:expected()
  local sum = 0
  for failed = 0, self.limit - 1 do sum = sum + (1 - self.chance) ^ failed end
  return sum
end
-- snippet:usage
-- snippet:prints 63.4 tries on average, and never more than 100
-- snippet:prints 100 failures at most: true
local drop = PityDrop.new(0.01, 100)
print(("%.1f tries on average, and never more than %d"):format(drop:expected(), drop.limit))
local tries = 0
repeat tries = tries + 1 until drop:try(function() return 0.99 end)
-- snippet:check
assert(PityDrop.new(0, 100):expected() == 100 and PityDrop.new(1, 100):expected() == 1)
assert(PityDrop.new(1e-17, 100):expected() == 100)
-- snippet:usage
print("100 failures at most: " .. tostring(tries == 100))
