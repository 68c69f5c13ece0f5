-- snippet:doc https://www.lua.org/manual/5.4/manual.html#pdf-math.random math.random
--- Picks a key so that each comes as often as its weight says, a whole number from 0 on. Keys are
--- sorted, because pairs() has no order and a seed must give the same result each time.
local function pick(weights)
  local keys, total = {}, 0
  for key, weight in pairs(weights) do
    keys[#keys + 1] = key
    total = total + weight
  end
  assert(total > 0, "a weight above zero is needed")
  table.sort(keys)
  local ticket = math.random(total)
  for _, key in ipairs(keys) do
    ticket = ticket - weights[key]
    if ticket <= 0 then return key end
  end
end
-- snippet:usage
math.randomseed(42)
local drops = { common = 0, rare = 0, epic = 0 }
for _ = 1, 10000 do
  local item = pick { common = 90, rare = 9, epic = 1 }
  drops[item] = drops[item] + 1
end
print(drops.common > 8800, drops.rare > 800 and drops.rare < 1000, drops.epic < 200)
-- snippet:prints true	true	true
