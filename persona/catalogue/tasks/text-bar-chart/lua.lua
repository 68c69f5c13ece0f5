-- snippet:doc https://www.lua.org/manual/5.4/manual.html#pdf-string.rep string.rep
-- snippet:needs Lua 5.3
local function bar_chart(rows, width)
  local most, label = 0, 0
  for _, row in ipairs(rows) do
    most = math.max(most, row[2])
    label = math.max(label, utf8.len(row[1]))
  end
  for _, row in ipairs(rows) do
    local length = most > 0 and math.floor(row[2] / most * width + 0.5) or 0
    local blank = (" "):rep(label - utf8.len(row[1])) -- %-5s would count bytes
    print(("%s%s %s %s"):format(row[1], blank, ("█"):rep(length), row[2]))
  end
end

bar_chart({ { "sand", 1200 }, { "stone", 1850 }, { "iron", 640 }, { "gold", 0 } }, 30)
-- snippet:prints sand  ███████████████████ 1200
-- snippet:prints stone ██████████████████████████████ 1850
-- snippet:prints iron  ██████████ 640
-- snippet:prints gold   0
