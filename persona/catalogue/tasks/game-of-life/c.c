// snippet:doc https://en.cppreference.com/w/c/language/array Array declaration
#include <stdbool.h>

enum { ROWS = 8, COLUMNS = 16 };

typedef struct { bool cell[ROWS][COLUMNS]; } world;

static int neighbours(const world *w, int row, int column)
{
    int count = -w->cell[row][column];
    for (int dr = -1; dr <= 1; dr++)
        for (int dc = -1; dc <= 1; dc++) /* the edges are joined: a torus */
            count += w->cell[(row + dr + ROWS) % ROWS][(column + dc + COLUMNS) % COLUMNS];
    return count;
}

world next_generation(const world *now)
{
    world next;
    for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < COLUMNS; column++) {
            int n = neighbours(now, row, column);
            next.cell[row][column] = n == 3 || (n == 2 && now->cell[row][column]);
        }
    }
    return next;
}
// snippet:usage
#include <stdio.h>

int main(void)
{
    world w = {0};
    w.cell[0][1] = w.cell[1][2] = w.cell[2][0] = w.cell[2][1] = w.cell[2][2] = true;
    for (int i = 0; i < 4; i++)
        w = next_generation(&w);
    for (int row = 0; row < 4; row++, putchar('\n'))
        for (int column = 0; column < COLUMNS; column++)
            putchar(w.cell[row][column] ? '#' : '.');
}
// snippet:prints ................
// snippet:prints ..#.............
// snippet:prints ...#............
// snippet:prints .###............
