// snippet:doc https://en.cppreference.com/w/c/atomic stdatomic.h
// snippet:prints 64 1 0 1
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { RING_SIZE = 64 }; /* a power of two, so that the index may wrap */
_Static_assert((RING_SIZE & (RING_SIZE - 1)) == 0, "RING_SIZE must be a power of two");

/* One producer (an interrupt) and one consumer (the main loop), no locks. */
struct ring {
    uint8_t data[RING_SIZE];
    atomic_uint head; /* written by the producer only */
    atomic_uint tail; /* written by the consumer only */
};

bool ring_put(struct ring *r, uint8_t byte)
{
    unsigned head = atomic_load_explicit(&r->head, memory_order_relaxed);
    if (head - atomic_load_explicit(&r->tail, memory_order_acquire) == RING_SIZE)
        return false; /* full */
    r->data[head % RING_SIZE] = byte;
    atomic_store_explicit(&r->head, head + 1, memory_order_release);
    return true;
}
// snippet:check
bool ring_get(struct ring *r, uint8_t *byte)
{
    unsigned tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
    if (atomic_load_explicit(&r->head, memory_order_acquire) == tail)
        return false;
    *byte = r->data[tail % RING_SIZE];
    atomic_store_explicit(&r->tail, tail + 1, memory_order_release);
    return true;
}

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
