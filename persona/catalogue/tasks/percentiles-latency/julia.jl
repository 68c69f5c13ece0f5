# snippet:description Run a function many times and print the median, the 95th and the 99th percentile of its durations, the
# snippet:description longest, and the mean. It runs once before, so that compilation is not measured. Between two measurements the
# snippet:description percentiles are interpolated.
# snippet:doc https://docs.julialang.org/en/v1/stdlib/Statistics/ Statistics
# snippet:prints p50 0 ms
# snippet:prints p95 0 ms
# snippet:prints p99 0 ms
# snippet:prints max 0 ms (mean 0)
# snippet:prints true 21
# snippet:check
const terminal = stdout
redirect_stdout(open("measured.txt", "w"))
# snippet:end
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

# snippet:check
flush(stdout)
print(terminal, replace(read("measured.txt", String), r" +\d+\.\d+" => " 0")) # times differ
calls = 0
latency(() -> (global calls += 1; sleep(0.002)); runs = 20)
flush(stdout)
slowest = parse(Float64, match(r"max +(\S+) ms[^\n]*\n$", read("measured.txt", String))[1])
redirect_stdout(terminal)
println(slowest >= 2, ' ', calls)
