// snippet:doc https://en.cppreference.com/w/cpp/container/list/splice std::list::splice
// snippet:prints 1 true 3
#include <cstddef>
#include <list>
#include <unordered_map>
#include <utility>

/// The `capacity` entries used last, in constant time on average. Not for several threads,
/// nor for NaN as a key, which is never found again.
template <class K, class V>
class LruCache {
    using Entries = std::list<std::pair<const K, V>>; // front: used last
    Entries entries_;
    std::unordered_map<K, typename Entries::iterator> index_;
    std::size_t capacity_;

public:
    explicit LruCache(std::size_t capacity) : capacity_(capacity > 0 ? capacity : 1) {}
    LruCache(const LruCache&) = delete; // the index of a copy would point into the original
    LruCache& operator=(const LruCache&) = delete;

    V* get(const K& key) {
        const auto found = index_.find(key);
        if (found == index_.end()) return nullptr;
        entries_.splice(entries_.begin(), entries_, found->second); // moves, copies nothing
        return &found->second->second;
    }
    void put(const K& key, V value) {
        if (V* old = get(key)) return void(*old = std::move(value));
        if (index_.size() == capacity_) {
            index_.erase(entries_.back().first);
            entries_.pop_back();
        }
        entries_.emplace_front(key, std::move(value));
        index_.emplace(key, entries_.begin());
    }
};
// snippet:usage
#include <iostream>
#include <string>

int main() {
    LruCache<std::string, int> cache(2);
    cache.put("a", 1);
    cache.put("b", 2);
    cache.get("a");
    cache.put("c", 3);
    std::cout << std::boolalpha << *cache.get("a") << ' '
              << (cache.get("b") == nullptr) << ' ' << *cache.get("c") << '\n';
}
