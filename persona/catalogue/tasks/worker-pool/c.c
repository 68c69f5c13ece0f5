// snippet:doc https://pubs.opengroup.org/onlinepubs/9799919799/functions/pthread_create.html POSIX threads
// snippet:prints 1 4 9 16 25
#include <pthread.h>
#include <stdatomic.h>

struct work {
    void (*run)(void *item);
    char *items;
    size_t size, count;
    atomic_size_t next;
};

static void *worker(void *argument)
{
    struct work *w = argument;
    for (size_t i; (i = atomic_fetch_add(&w->next, 1)) < w->count;)
        w->run(w->items + i * w->size);
    return NULL;
}

/* Runs run() for every item of an array, on a few threads and this one. */
void parallel_for(void *items, size_t count, size_t size, void (*run)(void *))
{
    struct work w = {.run = run, .items = items, .size = size, .count = count};
    pthread_t threads[3];
    size_t started = 0;
    while (started < 3 && pthread_create(&threads[started], NULL, worker, &w) == 0)
        started++;
    worker(&w); /* also when no thread could be started */
    while (started > 0)
        pthread_join(threads[--started], NULL);
}
// snippet:check
#include <stdio.h>

static void square(void *item)
{
    *(int *)item *= *(int *)item;
}

int main(void)
{
    int numbers[] = {1, 2, 3, 4, 5};
    parallel_for(numbers, 5, sizeof *numbers, square);
    for (int i = 0; i < 5; i++)
        printf("%d ", numbers[i]);
    puts("");
}
