# snippet:doc https://docs.julialang.org/en/v1/stdlib/Dates/#Base.floor-Tuple{TimeType,%20Period} Rounding times
# snippet:prints (start = DateTime("2025-03-04T12:00:00"), count = 2, mean = 21.0, low = 20.5, high = 21.5)
# snippet:prints (start = DateTime("2025-03-04T12:01:00"), count = 0, mean = NaN, low = NaN, high = NaN)
# snippet:prints (start = DateTime("2025-03-04T12:02:00"), count = 1, mean = 23.0, low = 23.0, high = 23.0)
# snippet:prints 0
using Dates
using Statistics

"Count, mean and extremes of readings `time => value` in equal intervals; an empty one has count 0."
function buckets(readings, width::Period)
    groups = Dict{DateTime,Vector{Float64}}()
    for (time, value) in readings
        push!(get!(Vector{Float64}, groups, floor(time, width)), value)
    end
    isempty(groups) && return NamedTuple[]
    from, until = extrema(keys(groups))
    return map(from:width:until) do start
        values = get(groups, start, Float64[])
        isempty(values) && return (; start, count = 0, mean = NaN, low = NaN, high = NaN)
        low, high = extrema(values)
        return (; start, count = length(values), mean = mean(values), low, high)
    end
end

noon = DateTime(2025, 3, 4, 12)
readings = [noon + Second(10) => 20.5, noon + Second(50) => 21.5, noon + Second(130) => 23.0]
foreach(println, buckets(readings, Minute(1)))

# snippet:usage
println(length(buckets(Pair{DateTime,Float64}[], Minute(1))))
