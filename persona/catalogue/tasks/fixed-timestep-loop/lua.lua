-- snippet:doc https://love2d.org/wiki/love.update love.update
local STEP, LONGEST_FRAME = 1 / 60, 0.25

local Loop = {}
Loop.__index = Loop

function Loop.new(update, draw)
  return setmetatable({ update = update, draw = draw, saved = 0 }, Loop)
end

--- Spends the frame's real time in equal steps, so that the rules do not depend on the frame rate.
function Loop:frame(seconds)
  self.saved = self.saved + math.min(seconds, LONGEST_FRAME) -- after a pause, do not catch up
  while self.saved >= STEP do
    self.update(STEP)
    self.saved = self.saved - STEP
  end
  self.draw(self.saved / STEP) -- how far the next step has come, to draw in between
end
-- snippet:usage
local steps = 0
local loop = Loop.new(function() steps = steps + 1 end, function(share) print(steps, ("%.2f"):format(share)) end)
for _, dt in ipairs { 0.01, 0.02, 5 } do loop:frame(dt) end
-- snippet:prints 0	0.60
-- snippet:prints 1	0.80
-- snippet:prints 16	0.80
