# snippet:doc https://docs.julialang.org/en/v1/manual/multi-threading/ Multi-threading
"""
    ordered_map(f, jobs; workers)

Apply `f` to all jobs with a fixed number of tasks on Julia's threads. The results stand in the order of the
jobs; after the first failure no further job begins. Start Julia with `--threads=auto`.
"""
function ordered_map(f, jobs::Vector; workers = Threads.nthreads())
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
