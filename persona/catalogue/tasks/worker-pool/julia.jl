# snippet:doc https://docs.julialang.org/en/v1/manual/multi-threading/ Multi-threading
# snippet:prints [1, 4, 9, 16, 25]
# snippet:prints Int64 true
# snippet:prints failed true
"""
    ordered_map(f, jobs; workers)

Apply `f` to all jobs with a fixed number of tasks on Julia's threads. The results stand in the order of the
jobs; after the first failure no further job begins. Start Julia with `--threads=auto`.
"""
function ordered_map(f, jobs::Vector; workers = Threads.nthreads())
    workers >= 1 || throw(ArgumentError("workers: expected 1 or more"))
    results = Vector{Any}(undef, length(jobs))
    next = Threads.Atomic{Int}(1)
    failed = Threads.Atomic{Bool}(false)
    @sync for _ in 1:min(workers, length(jobs))
        Threads.@spawn while !failed[]
            i = Threads.atomic_add!(next, 1) # the value before
            i <= length(jobs) || break
            try
                results[i] = f(jobs[i])
            catch
                failed[] = true
                rethrow()
            end
        end
    end
    return identity.(results) # narrows the element type to what came out
end

ordered_map(n -> sum(sqrt, 1:n), [10^6, 10^7, 10^5])

# snippet:check
println(ordered_map(n -> (sleep(n % 2 == 0 ? 0.001 : 0.02); n^2), collect(1:5); workers = 2))
running, most = Threads.Atomic{Int}(0), Threads.Atomic{Int}(0)
function work(n)
    Threads.atomic_max!(most, Threads.atomic_add!(running, 1) + 1)
    sleep(0.01)
    Threads.atomic_sub!(running, 1)
    return n
end
println(eltype(ordered_map(work, collect(1:10); workers = 3)), ' ', most[] == 3)
begun = Threads.Atomic{Int}(0)
try
    ordered_map(n -> (Threads.atomic_add!(begun, 1); n == 3 && error("broken"); sleep(0.001); n), collect(1:1000); workers = 2)
catch
    println("failed ", begun[] < 1000)
end
