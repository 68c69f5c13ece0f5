// snippet:doc https://en.cppreference.com/w/c/numeric/math/fabs fabs
// snippet:prints 1 0.0 0.5 0
#include <math.h>
#include <stdbool.h>

typedef struct { float x, y; } vec2;
typedef struct { vec2 centre, half; } box; /* half: half width, half height */

/* Do two boxes overlap? If so, *push is the shortest move that takes a out of b. */
bool boxes_collide(box a, box b, vec2 *push)
{
    float dx = a.centre.x - b.centre.x;
    float dy = a.centre.y - b.centre.y;
    float overlap_x = a.half.x + b.half.x - fabsf(dx);
    float overlap_y = a.half.y + b.half.y - fabsf(dy);

    if (overlap_x <= 0 || overlap_y <= 0)
        return false; /* touching edges do not collide */
    if (overlap_x < overlap_y)
        *push = (vec2){copysignf(overlap_x, dx), 0};
    else
        *push = (vec2){0, copysignf(overlap_y, dy)};
    return true;
}
// snippet:usage
#include <stdio.h>

int main(void)
{
    box player = {{2, 4.5f}, {1, 1}}, floor = {{0, 3}, {10, 1}}, wall = {{9, 9}, {1, 1}};
    vec2 push = {0, 0};
    bool hit = boxes_collide(player, floor, &push);
    printf("%d %.1f %.1f %d\n", hit, (double)push.x, (double)push.y, boxes_collide(player, wall, &push));
}
