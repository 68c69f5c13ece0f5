-- snippet:doc https://www.lua.org/pil/3.6.html Table constructors
local rooms = {
  hall   = { text = "A dusty hall.", exits = { north = "study", east = "garden" } },
  study  = { text = "Books up to the ceiling.", exits = { south = "hall" }, item = "key" },
  garden = { text = "Roses, and a gate.", exits = { west = "hall" } },
}
local here, bag = "hall", {}

local commands = {
  go = function(way)
    here = rooms[here].exits[way] or here
    local room = rooms[here]
    return room.text .. (room.item and " A " .. room.item .. "!" or "")
  end,
  take = function(item)
    if rooms[here].item ~= item then return "There is no " .. item .. " here." end
    rooms[here].item, bag[item] = nil, true
    return "Taken: " .. item .. "."
  end,
}

-- To play: for line in io.lines() do print(play(line)) end
local function play(line)
  local verb, noun = line:match("^(%a+)%s+(%a+)$")
  return commands[verb] and commands[verb](noun) or "Try: go north, take key."
end
-- snippet:check
for _, line in ipairs { "go north", "take key", "take key", "go south", "go north", "dance" } do print("> " .. line, play(line)) end
-- snippet:prints > go north	Books up to the ceiling. A key!
-- snippet:prints > take key	Taken: key.
-- snippet:prints > take key	There is no key here.
-- snippet:prints > go south	A dusty hall.
-- snippet:prints > go north	Books up to the ceiling.
-- snippet:prints > dance	Try: go north, take key.
