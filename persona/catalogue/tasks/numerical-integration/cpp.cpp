// snippet:doc https://en.cppreference.com/w/cpp/concepts/invocable std::regular_invocable
// snippet:needs C++20 (GCC 13, LLVM 17)
// snippet:prints -0.8391 0.0e+00
#include <array>
#include <concepts>
#include <cstddef>

template <std::size_t N> using State = std::array<double, N>;

template <std::size_t N>
constexpr State<N> add_scaled(State<N> a, const State<N>& b, double factor) {
    for (std::size_t i = 0; i < N; ++i) a[i] += b[i] * factor;
    return a;
}

/// One step of the classical Runge-Kutta method: dy/dt = f(t, y).
template <std::size_t N, std::regular_invocable<double, State<N>> F>
constexpr State<N> rk4_step(F f, double t, const State<N>& y, double dt) {
    const auto k1 = f(t, y);
    const auto k2 = f(t + dt / 2, add_scaled(y, k1, dt / 2));
    const auto k3 = f(t + dt / 2, add_scaled(y, k2, dt / 2));
    const auto k4 = f(t + dt, add_scaled(y, k3, dt));
    State<N> next = y;
    for (std::size_t i = 0; i < N; ++i)
        next[i] += dt / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    return next;
}
// snippet:usage
#include <cmath>
#include <format>
#include <iostream>

int main() {
    State<2> y{1, 0};
    auto spring = [](double, State<2> s) { return State<2>{s[1], -s[0]}; };
    for (int i = 0; i < 100; ++i) y = rk4_step<2>(spring, i * 0.1, y, 0.1);
    std::cout << std::format("{:.4f} {:.1e}\n", y[0], std::abs(y[0] - std::cos(10.0)) < 1e-4 ? 0.0 : 1.0);
}
