// snippet:doc https://en.cppreference.com/w/cpp/container/array std::array
// snippet:prints 2 a
#include <array>
#include <concepts>
#include <cstddef>

/// The last N values in place: no heap, no exceptions, fit for firmware.
template <std::default_initializable T, std::size_t N>
    requires(N > 0)
class RingBuffer {
public:
    constexpr void push(T value) {
        slots_[pushed_++ % N] = value;
    }
    constexpr std::size_t size() const {
        return pushed_ < N ? pushed_ : N;
    }
    /// 0 is the oldest value that is still there.
    constexpr const T& operator[](std::size_t i) const {
        return slots_[(pushed_ - size() + i) % N];
    }

private:
    std::array<T, N> slots_{};
    std::size_t pushed_ = 0;
};

static_assert([] {
    RingBuffer<int, 3> ring;
    for (int i = 1; i <= 5; ++i) ring.push(i);
    return ring.size() == 3 && ring[0] == 3 && ring[2] == 5;
}(), "a test that the compiler runs");
// snippet:check
#include <print>

int main() {
    RingBuffer<char, 4> ring;
    for (char c : {'a', 'b'}) ring.push(c);
    std::println("{} {}", ring.size(), ring[0]);
}
