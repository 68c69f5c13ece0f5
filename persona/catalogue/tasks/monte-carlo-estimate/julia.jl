# snippet:doc https://docs.julialang.org/en/v1/stdlib/Random/ Random
# snippet:needs Julia 1.7
using Random
using Statistics

"The mean of many trials and its standard error; the same seed gives the same answer in the same version of Julia."
function estimate(trial; trials = 100_000, seed = 1)
    rng = Xoshiro(seed)
    results = [Float64(trial(rng)) for _ in 1:trials]
    return (; value = mean(results), error = std(results) / sqrt(trials))
end

# How probable is it that two of 23 people share a birthday?
shared = estimate() do rng
    !allunique(rand(rng, 1:365, 23))
end
println(round(shared.value; digits = 3), " ± ", round(2 * shared.error; digits = 3))
