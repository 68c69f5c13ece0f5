# snippet:doc https://docs.julialang.org/en/v1/manual/functions/ Functions
# snippet:prints true
# snippet:prints true
"One step of the classical Runge-Kutta method for du/dt = f(u, t)."
function rk4_step(f, u, t, h)
    k1 = f(u, t)
    k2 = f(u + h / 2 * k1, t + h / 2)
    k3 = f(u + h / 2 * k2, t + h / 2)
    k4 = f(u + h * k3, t + h)
    return u + h / 6 * (k1 + 2k2 + 2k3 + k4)
end

# A pendulum: u holds its angle and its angular velocity.
pendulum(u, t) = [u[2], -9.81 / 0.5 * sin(u[1])]

function simulate(f, u, times)
    states = [float(u)]
    for t in times[1:end-1]
        push!(states, rk4_step(f, states[end], t, step(times)))
    end
    return states
end

states = simulate(pendulum, [0.3, 0.0], 0:0.01:2)
energy(u) = 0.5 * (0.5 * u[2])^2 + 9.81 * 0.5 * (1 - cos(u[1]))
isapprox(energy(states[end]), energy(states[1]); rtol = 1e-6) || error("the step is too large")

# snippet:check
println(isapprox(energy(states[end]), energy(states[1]); rtol = 1e-6))
growth = simulate((u, t) -> u, [1.0], 0:0.01:1) # du/dt = u: e after one second
println(isapprox(growth[end][1], exp(1); rtol = 1e-9) && length(growth) == 101)
