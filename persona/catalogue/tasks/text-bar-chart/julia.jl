# snippet:doc https://docs.julialang.org/en/v1/base/strings/ Strings
# snippet:prints spring │███████████████ 12
# snippet:prints summer │████████████████████████████████████████ 31
# snippet:prints autumn │███████████████████████ 18
# snippet:prints winter │█████ 4
# snippet:prints a │ 0
# snippet:prints b │███ 9223372036854775807
"""
    barchart([io], data; width = 40)

Draw pairs `label => value` as bars of characters, the largest value `width` characters wide.
"""
function barchart(io::IO, data; width = 40)
    isempty(data) && return
    most = maximum(last, data)
    column = maximum(textwidth ∘ first, data)
    for (label, value) in data
        length = most > 0 ? round(Int, width * (max(value, 0) / most)) : 0
        println(io, rpad(label, column), " │", "█"^length, " ", value)
    end
end
barchart(data; kwargs...) = barchart(stdout, data; kwargs...)

barchart(["spring" => 12, "summer" => 31, "autumn" => 18, "winter" => 4])

# snippet:check
barchart(["a" => 0])
barchart(["b" => typemax(Int)]; width = 3)
barchart([])
