// snippet:doc https://en.cppreference.com/w/cpp/container/array std::array
// snippet:needs C++20
// snippet:prints 2 a
#include <array>
#include <concepts>
#include <cstddef>

/// The last N values in place: the buffer itself uses no heap.
template <std::default_initializable T, std::size_t N>
    requires(N > 0)
class RingBuffer {
public:
    constexpr void push(T value) {
        slots_[next_] = value;
        next_ = (next_ + 1) % N;
        if (size_ < N) ++size_;
    }
    constexpr std::size_t size() const { return size_; }
    /// 0 is the oldest value that is still there; i must be below size().
    constexpr const T& operator[](std::size_t i) const {
        return slots_[(next_ + N - size_ + i) % N];
    }

private:
    std::array<T, N> slots_{};
    std::size_t next_ = 0, size_ = 0;
};

static_assert([] {
    RingBuffer<int, 3> ring;
    for (int i = 1; i <= 5; ++i) ring.push(i);
    return ring.size() == 3 && ring[0] == 3 && ring[2] == 5;
}(), "a test that the compiler runs");
// snippet:usage
#include <iostream>

int main() {
    RingBuffer<char, 4> ring;
    for (char c : {'a', 'b'}) ring.push(c);
    std::cout << ring.size() << ' ' << ring[0] << '\n';
}
