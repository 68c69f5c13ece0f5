-- snippet:doc https://www.lua.org/manual/5.4/manual.html#2.6 Coroutines
-- snippet:title A bounded pool of coroutines
--- Runs jobs as coroutines, at most `limit` at a time; a job yields while it waits.
local function run_pool(jobs, limit)
  assert(limit >= 1, "limit: expected 1 or more")
  local running, results, next_job = {}, {}, 1
  repeat
    while next_job <= #jobs and #running < limit do
      running[#running + 1] = { index = next_job, thread = coroutine.create(jobs[next_job]) }
      next_job = next_job + 1
    end
    for i = #running, 1, -1 do
      local task = running[i]
      local ok, value = coroutine.resume(task.thread)
      if not ok then error(("job %d: %s"):format(task.index, value), 0) end
      if coroutine.status(task.thread) == "dead" then
        results[task.index] = value
        table.remove(running, i)
      end
    end
  until #running == 0 and next_job > #jobs
  return results
end
-- snippet:usage
local active, most = 0, 0
local function job(n)
  return function()
    active = active + 1
    most = math.max(most, active)
    for _ = 1, n do coroutine.yield() end
    active = active - 1
    return n * n
  end
end
print(table.concat(run_pool({ job(3), job(1), job(2), job(0) }, 2), " "), "at most " .. most)
print(table.concat(run_pool({ job(0), job(0), job(0) }, 1), " "))
print(pcall(run_pool, { function() error("broken", 0) end }, 1))
print((select(2, pcall(run_pool, { job(1) }, 0)):match("limit.*")))
-- snippet:prints 9 1 4 0	at most 2
-- snippet:prints 0 0 0
-- snippet:prints false	job 1: broken
-- snippet:prints limit: expected 1 or more
