-- snippet:doc https://www.lua.org/manual/5.4/manual.html#pdf-table.sort table.sort
local players = {
  { name = "Mei", score = 70 },
  { name = "Zoe", score = 90 },
  { name = "Bob", score = 70 },
  { name = "Ada", score = 90 },
}

-- table.sort is not stable: the order must be decided for every pair.
table.sort(players, function(a, b)
  if a.score ~= b.score then
    return a.score > b.score
  end
  return a.name < b.name
end)

for place, player in ipairs(players) do
  print(place, player.name, player.score)
end
-- snippet:prints 1	Ada	90
-- snippet:prints 2	Zoe	90
-- snippet:prints 3	Bob	70
-- snippet:prints 4	Mei	70
