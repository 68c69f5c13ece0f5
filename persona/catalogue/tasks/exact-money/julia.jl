# snippet:doc https://docs.julialang.org/en/v1/base/math/#Base.fld fld
# snippet:description Split an amount of whole cents by weights without floating point. Each part is a share of what is still
# snippet:description left, so the last one takes the rest and the parts add up to the whole.
# snippet:prints 33.33 + 33.33 + 33.34
# snippet:prints -0.05 [0, 1, 4]
# snippet:prints weights must be positive
"""
    split_cents(cents, weights)

Split an amount in whole cents by weights. The parts add up to exactly the amount: each is a share of
what is left, so that the rounding of one is made good by the next.
"""
function split_cents(cents::Integer, weights::AbstractVector{<:Integer})
    !isempty(weights) && all(>(0), weights) || throw(ArgumentError("weights must be positive"))
    left, weight = cents, sum(weights)
    parts = similar(weights, typeof(cents))
    for (i, w) in pairs(weights)
        parts[i] = fld(widemul(left, w), weight)
        left -= parts[i]
        weight -= w
    end
    return parts
end

euros(cents) = string(cents < 0 ? "-" : "", abs(cents) ÷ 100, '.', lpad(abs(cents) % 100, 2, '0'))

join(euros.(split_cents(10_000, [1, 1, 1])), " + ") # 33.33 + 33.33 + 33.34

# snippet:check
println(join(euros.(split_cents(10_000, [1, 1, 1])), " + "))
println(euros(-5), ' ', split_cents(5, [1, 3, 9]))
try
    split_cents(5, [1, 0])
catch error
    println(error.msg)
end
