<?php
// snippet:doc https://www.php.net/manual/en/language.types.array.php Arrays keep their order
/** Arrays remember the order of insertion, which is all that a small LRU cache needs. */
final class LruCache
{
    private array $entries = [];

    public function __construct(private int $capacity)
    {
    }

    /** @param callable(): mixed $load is asked for what is not there */
    public function get(string $key, callable $load): mixed
    {
        if (array_key_exists($key, $this->entries)) {
            $value = $this->entries[$key];
            unset($this->entries[$key]); // it moves to the end: the most recently used
        } else {
            $value = $load();
        }
        $this->entries[$key] = $value;
        if (count($this->entries) > $this->capacity) {
            unset($this->entries[array_key_first($this->entries)]);
        }
        return $value;
    }
}
// snippet:check
$cache = new LruCache(2);
foreach (['a', 'b', 'a', 'c', 'b', 'c'] as $k) {
    $cache->get($k, function () use ($k) { echo "load $k\n"; return $k; });
}
// snippet:prints load a
// snippet:prints load b
// snippet:prints load c
// snippet:prints load b
