# snippet:doc https://docs.julialang.org/en/v1/base/base/#Base.Timer Timer
# snippet:prints plot at 2.0
# snippet:prints quiet
"""
    Debouncer(action; seconds = 0.3)

Call it as often as you like: `action` runs once, with the latest value, when the calls have been quiet
for so many seconds.
"""
mutable struct Debouncer{F}
    action::F
    seconds::Float64
    timer::Union{Timer,Nothing}
end
Debouncer(action; seconds = 0.3) = Debouncer(action, Float64(seconds), nothing)

function (d::Debouncer)(value)
    isnothing(d.timer) || close(d.timer) # whoever waited before is out
    d.timer = Timer(mine -> d.timer === mine && d.action(value), d.seconds)
    return nothing
end

replot = Debouncer(zoom -> println("plot at $zoom"); seconds = 0.1)
foreach(replot, (1.0, 1.5, 2.0))
sleep(0.3) # plot at 2.0

# snippet:check
replot(3.0)
close(replot.timer)
sleep(0.3)
println("quiet")
