-- snippet:doc https://www.lua.org/manual/5.4/manual.html#pdf-error error
local transitions = {
  idle   = { see_player = "chase" },
  chase  = { reach = "attack", lose = "search" },
  attack = { hurt = "flee", lose = "search" },
  search = { see_player = "chase", give_up = "idle" },
  flee   = { safe = "idle" },
}

local function machine(state)
  return function(event)
    local next_state = transitions[state][event]
    if not next_state then
      error(("a guard that is in %s does not react to %s"):format(state, event), 2)
    end
    state = next_state
    return state
  end
end
-- snippet:usage
local guard = machine("idle")
for event in ("see_player reach hurt safe"):gmatch("%S+") do io.write(guard(event), " ") end
print()
print(select(2, pcall(guard, "hurt")):match("a guard.*"))
-- snippet:prints chase attack flee idle
-- snippet:prints a guard that is in idle does not react to hurt
