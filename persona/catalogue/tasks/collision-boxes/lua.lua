-- snippet:doc https://www.lua.org/manual/5.4/manual.html#pdf-math.abs math.abs
local function overlap(a, b)
  return a.x < b.x + b.w and b.x < a.x + a.w and a.y < b.y + b.h and b.y < a.y + a.h
end

--- Moves a out of b by the shortest way along one axis; true if they overlapped.
local function push_out(a, b)
  if not overlap(a, b) then return false end
  local left, right = b.x - (a.x + a.w), b.x + b.w - a.x
  local up, down = b.y - (a.y + a.h), b.y + b.h - a.y
  local dx = -left < right and left or right
  local dy = -up < down and up or down
  if math.abs(dx) < math.abs(dy) then a.x = a.x + dx else a.y = a.y + dy end
  return true
end
-- snippet:check
local wall = { x = 10, y = 0, w = 10, h = 10 }
for _, hero in ipairs { { x = 8, y = 2, w = 4, h = 4 }, { x = 12, y = 9, w = 2, h = 2 }, { x = 0, y = 0, w = 10, h = 10 } } do
  print(push_out(hero, wall), hero.x, hero.y)
end
-- snippet:prints true	6	2
-- snippet:prints true	12	10
-- snippet:prints false	0	0
