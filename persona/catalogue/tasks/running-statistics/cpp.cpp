// snippet:doc https://en.cppreference.com/w/cpp/numeric/math/sqrt std::sqrt
// snippet:prints 10 5.4772
#include <cmath>
#include <cstddef>

/// Welford's method: one pass, stable, nothing kept. Results of several
/// threads are combined with += (Chan's formula).
class Statistics {
public:
    void add(double value) { *this += Statistics{1, value, 0}; }

    Statistics& operator+=(const Statistics& o) {
        if (o.count_ == 0) return *this;
        const double n = count_, m = o.count_, delta = o.mean_ - mean_;
        count_ += o.count_;
        mean_ += delta * m / count_;
        squares_ += o.squares_ + delta * (n * m / count_) * delta;
        return *this;
    }

    double mean() const { return mean_; }
    double deviation() const { return count_ > 1 ? std::sqrt(squares_ / (count_ - 1)) : 0; }

    Statistics() = default;

private:
    Statistics(double n, double mean, double s) : count_(n), mean_(mean), squares_(s) {}
    double count_ = 0, mean_ = 0, squares_ = 0;
};
// snippet:usage
#include <cstdio>
#include <initializer_list>

int main() {
    Statistics a, b;
    for (double v : {1e9 + 4, 1e9 + 7}) a.add(v);
    for (double v : {1e9 + 13, 1e9 + 16}) b.add(v);
    a += b;
    std::printf("%.0f %.4f\n", a.mean() - 1e9, a.deviation());
}
