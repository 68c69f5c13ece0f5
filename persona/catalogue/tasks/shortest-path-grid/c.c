// snippet:doc https://en.cppreference.com/w/c/language/array Array declaration
// snippet:prints 11 -1
#include <string.h>

enum { W = 8, H = 4 };

/* Fewest steps on a map ('#' is a wall) by breadth-first search, or -1. The
 * queue holds every cell at most once, so it needs no more than W * H places. */
int shortest_path(const char map[H][W + 1], int from, int to)
{
    int distance[W * H], queue[W * H], head = 0, tail = 0;

    memset(distance, -1, sizeof distance);
    distance[from] = 0;
    queue[tail++] = from;
    while (head < tail && distance[to] < 0) {
        int cell = queue[head++], x = cell % W, y = cell / W;
        const int next[4][2] = {{x + 1, y}, {x - 1, y}, {x, y + 1}, {x, y - 1}};
        for (int i = 0; i < 4; i++) {
            int nx = next[i][0], ny = next[i][1];
            if (nx < 0 || nx >= W || ny < 0 || ny >= H || map[ny][nx] == '#')
                continue;
            if (distance[ny * W + nx] < 0) {
                distance[ny * W + nx] = distance[cell] + 1;
                queue[tail++] = ny * W + nx;
            }
        }
    }
    return distance[to];
}
// snippet:usage
#include <stdio.h>

int main(void)
{
    const char map[H][W + 1] = {"...#....", ".#.#.##.", ".#...#..", ".####.#."};
    printf("%d %d\n", shortest_path(map, 0, W - 1), shortest_path(map, 0, 3 * W + 5));
}
