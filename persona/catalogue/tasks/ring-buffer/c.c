// snippet:why What an interrupt receives waits in fixed memory for the main loop.
// snippet:description A queue of bytes in fixed memory between one producer, such as an interrupt, and one consumer, without locks.
// snippet:description When it is full, the next byte is refused; two counters that wrap around tell what is in it.
// snippet:doc https://en.cppreference.com/w/c/atomic stdatomic.h
// snippet:needs C11 with atomics
// snippet:prints 64 1 0 1
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { SIZE = 64 }; /* a power of two, so that the counters may wrap */
_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "the counters would need a lock here");
/* One producer (an interrupt) and one consumer (the main loop), no locks. */
struct ring {
    uint8_t data[SIZE];
    atomic_uint head, tail; /* written by the producer only, by the consumer only */
};

bool ring_put(struct ring *r, uint8_t byte)
{
    unsigned head = atomic_load_explicit(&r->head, memory_order_relaxed);
    if (head - atomic_load_explicit(&r->tail, memory_order_acquire) == SIZE)
        return false; /* full */
    r->data[head % SIZE] = byte;
    atomic_store_explicit(&r->head, head + 1, memory_order_release);
    return true;
}

bool ring_get(struct ring *r, uint8_t *byte)
{
    unsigned tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
    if (atomic_load_explicit(&r->head, memory_order_acquire) == tail)
        return false; /* empty */
    *byte = r->data[tail % SIZE];
    atomic_store_explicit(&r->tail, tail + 1, memory_order_release);
    return true;
}
// snippet:usage
#include <stdio.h>

int main(void)
{
    static struct ring r;
    int stored = 0;
    while (ring_put(&r, (uint8_t)stored))
        stored++;
    uint8_t first = 9;
    bool got = ring_get(&r, &first);
    printf("%d %d %d %d\n", stored, got, first, ring_put(&r, 1));
}
