# snippet:doc https://docs.julialang.org/en/v1/base/base/#Base.Enums.@enum @enum
# snippet:prints measuring
# snippet:prints an instrument that is stopped cannot begin_run
@enum State idle measuring calibrating stopped
@enum Event begin_run finish calibrate stop

# What is not in the table cannot happen.
const TRANSITIONS = Dict(
    (idle, begin_run) => measuring,
    (idle, calibrate) => calibrating,
    (idle, stop) => stopped,
    (measuring, finish) => idle,
    (calibrating, finish) => idle,
)

struct NotAllowed <: Exception
    state::State
    event::Event
end
Base.showerror(io::IO, e::NotAllowed) = print(io, "an instrument that is $(e.state) cannot $(e.event)")

function next(state::State, event::Event)
    return get(() -> throw(NotAllowed(state, event)), TRANSITIONS, (state, event))
end

foldl(next, [calibrate, finish, begin_run]; init = idle) # measuring

# snippet:check
println(foldl(next, [calibrate, finish, begin_run]; init = idle))
try
    foldl(next, [stop, begin_run]; init = idle)
catch error
    println(sprint(showerror, error))
end
