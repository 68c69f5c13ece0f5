-- snippet:doc https://www.lua.org/pil/6.1.html Closures
-- snippet:description Act once, with the latest value, when things have been quiet for a while. The main loop calls `tick` with
-- snippet:description the time; each change starts the wait anew.
--- Calls `action` with the latest value once things have been quiet for a while.
--- Call both from the main loop, which knows the time.
local function debouncer(quiet, action)
  local value, due
  local function changed(now, new)
    value, due = new, now + quiet
  end
  local function tick(now)
    if due and now >= due then
      due = nil
      action(value)
    end
  end
  return changed, tick
end
-- snippet:usage
local changed, tick = debouncer(0.3, function(v) print("pressed", v) end)
for _, event in ipairs { { 0, 1 }, { 0.1, 0 }, { 0.2, 1 }, { 0.4 }, { 0.6 }, { 0.9, 0 }, { 1.3 } } do
  if event[2] then changed(event[1], event[2]) else tick(event[1]) end
end
-- snippet:prints pressed	1
-- snippet:prints pressed	0
