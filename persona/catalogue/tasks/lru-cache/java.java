// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/LinkedHashMap.html java.util.LinkedHashMap
// snippet:prints {a=1, c=3}
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

final class LruCache<K, V> extends LinkedHashMap<K, V> {
    private final int capacity;

    private LruCache(int capacity) {
        super(16, 0.75f, true); // true: ordered by access, oldest first
        this.capacity = capacity;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > capacity;
    }

    /** Even {@code get} changes the order, so every access needs the lock. */
    static <K, V> Map<K, V> ofSize(int capacity) {
        return Collections.synchronizedMap(new LruCache<>(capacity));
    }
}
// snippet:check
class Main {
    public static void main(String[] args) {
        Map<String, Integer> cache = LruCache.ofSize(2);
        cache.put("a", 1);
        cache.put("b", 2);
        cache.get("a");
        cache.put("c", 3);
        System.out.println(cache);
    }
}
