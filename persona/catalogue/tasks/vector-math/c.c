// snippet:doc https://en.cppreference.com/w/c/numeric/math/hypot hypotf
// snippet:prints 1 0 0.6 4.0
#include <math.h>
#include <stdbool.h>

typedef struct { float x, y, z; } vec3;

static inline vec3 vec3_add_scaled(vec3 a, vec3 b, float factor)
{
    return (vec3){a.x + b.x * factor, a.y + b.y * factor, a.z + b.z * factor};
}

static inline float vec3_dot(vec3 a, vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* False, and no change, for a vector without a direction: too short, or its length is not finite. */
static inline bool vec3_normalize(vec3 *v)
{
    float length = hypotf(hypotf(v->x, v->y), v->z); /* no overflow on the way */
    if (!isfinite(length) || length < 1e-6f)
        return false;
    *v = (vec3){v->x / length, v->y / length, v->z / length};
    return true;
}

/* Mirrors a direction at a surface with this unit normal. */
static inline vec3 vec3_reflect(vec3 v, vec3 normal)
{
    return vec3_add_scaled(v, normal, -2.0f * vec3_dot(v, normal));
}
// snippet:check
#include <stdio.h>

int main(void)
{
    vec3 v = {3, -4, 0}, zero = {0};
    vec3 r = vec3_reflect(v, (vec3){0, 1, 0});
    bool long_enough = vec3_normalize(&v);
    printf("%d %d %.1f %.1f\n", long_enough, vec3_normalize(&zero), (double)v.x, (double)r.y);
}
