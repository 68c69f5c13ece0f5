-- snippet:doc https://www.lua.org/manual/5.4/lua.html The lua command and its arg table
-- snippet:needs Lua 5.3
local USAGE = "usage: resize.lua [--width=N] [--dry-run] FILE..."

local function parse(args)
  local options, files = { width = 320, dry_run = false }, {}
  for _, a in ipairs(args) do
    local name, value = a:match("^%-%-([^=]+)=?(.*)$")
    if not a:find "^%-." then
      files[#files + 1] = a
    elseif name == "width" then
      options.width = math.tointeger(tonumber(value)) or 0
      if options.width < 1 then error("--width needs a whole number from 1", 0) end
    elseif a == "--dry-run" then
      options.dry_run = true
    else
      error(("unknown option %s\n%s"):format(a, USAGE), 0)
    end
  end
  if #files == 0 then error(USAGE, 0) end
  return options, files
end
-- snippet:check
local o, f = parse { "--width=640", "--dry-run", "a.png", "b.png" }
print(o.width, o.dry_run, table.concat(f, " "))
print(pcall(parse, { "--width=wide", "a" }))
print(pcall(parse, { "--width=-2", "a" }))
print(pcall(parse, { "--colour", "a" }))
print((select(2, pcall(parse, { "-n", "a" })):match "[^\n]+"))
-- snippet:prints 640	true	a.png b.png
-- snippet:prints false	--width needs a whole number from 1
-- snippet:prints false	--width needs a whole number from 1
-- snippet:prints false	unknown option --colour
-- snippet:prints usage: resize.lua [--width=N] [--dry-run] FILE...
-- snippet:prints unknown option -n
