# snippet:doc https://docs.julialang.org/en/v1/stdlib/Statistics/ Statistics
using Printf
using Statistics

"Run `f` so many times and report in milliseconds what most calls take, and what the unlucky ones do."
function latency(f; runs = 1000)
    f() # compile first: the first call is not like the others
    milliseconds = [1000 * @elapsed(f()) for _ in 1:runs]
    shares = [0.5, 0.95, 0.99]
    for (share, value) in zip(shares, quantile(milliseconds, shares))
        @printf("p%02d  %8.3f ms\n", round(Int, 100 * share), value)
    end
    @printf("max  %8.3f ms (mean %.3f)\n", maximum(milliseconds), mean(milliseconds))
end

latency(() -> sort!(rand(10_000)))
