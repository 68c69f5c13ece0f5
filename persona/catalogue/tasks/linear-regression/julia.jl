# snippet:doc https://docs.julialang.org/en/v1/stdlib/LinearAlgebra/ LinearAlgebra
# snippet:prints R(25) ≈ 109.7
# snippet:prints true
# snippet:prints x and y must have the same length, with two different x at least
using LinearAlgebra
using Statistics

"The line through points by least squares: intercept, slope and the share of variance that it explains."
function fit_line(x, y)
    length(x) == length(y) && length(unique(x)) > 1 ||
        throw(ArgumentError("x and y must have the same length, with two different x at least"))
    intercept, slope = [ones(length(x)) x] \ y # QR decomposition: a backslash solves least squares
    residuals = y .- (intercept .+ slope .* x)
    variation = sum(abs2, y .- mean(y))
    explained = length(unique(y)) == 1 ? 1.0 : 1 - sum(abs2, residuals) / variation
    return (; intercept, slope, explained)
end

temperature = [10.0, 20.0, 30.0, 40.0]
resistance = [103.9, 107.8, 111.7, 115.5]
fit = fit_line(temperature, resistance)
println("R(25) ≈ ", round(fit.intercept + fit.slope * 25; digits = 1)) # R(25) ≈ 109.7

# snippet:check
exact = fit_line([1, 2, 4], [5, 7, 11]) # y = 3 + 2x
println(exact.intercept ≈ 3 && exact.slope ≈ 2 && exact.explained ≈ 1)
try
    fit_line([1], [1])
catch error
    println(error.msg)
end
