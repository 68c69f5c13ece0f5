# snippet:doc https://docs.julialang.org/en/v1/stdlib/LinearAlgebra/ LinearAlgebra
# snippet:prints 5.0 4.0 [0.0, 0.0, 3.0] [0.0, 4.0, 0.0]
# snippet:prints 36.87
# snippet:prints [0.0, 0.0] [0.0, 4.0, 0.0] true
using LinearAlgebra

a, b = [3.0, 4.0, 0.0], [0.0, 1.0, 0.0]

a + b       # [3.0, 5.0, 0.0]
norm(a)     # 5.0
a ⋅ b       # 4.0, the same as dot(a, b)
a × b       # [0.0, 0.0, 3.0], the same as cross(a, b)
a .* b      # element by element

"The vector's direction. The zero vector has none: it stays zero instead of becoming NaN."
unit(v) = iszero(v) ? v : v / norm(v)

"The angle in radians between two vectors that are not zero; accurate also if they are almost parallel."
angle_between(a, b) = 2 * atan(norm(unit(a) - unit(b)), norm(unit(a) + unit(b)))

"What of `a` lies in the direction of `b`."
projection(a, b) = (a ⋅ unit(b)) * unit(b)

rad2deg(angle_between(a, b)) # 36.87

# snippet:check
println(norm(a), ' ', a ⋅ b, ' ', a × b, ' ', a .* b)
println(round(rad2deg(angle_between(a, b)); digits = 2))
println(unit([0.0, 0.0]), ' ', projection(a, b), ' ', angle_between([1.0, 1e-9], [1.0, 0.0]) ≈ 1e-9)
