// snippet:description The states and events of a heating, and every allowed step between them, in a table. An event that the current
// snippet:description state does not allow changes nothing.
// snippet:doc https://en.cppreference.com/w/c/language/array_initialization Array initialization
// snippet:prints 0 1 2 2 1 3 3 0
enum state { IDLE, HEATING, COOLING, FAULT, STATES };
enum event { TOO_COLD, WARM_ENOUGH, OVERHEAT, RESET, EVENTS };

/* Every allowed transition; what is not listed is 0 and means "stay".
 * The targets are stored plus one, so that IDLE differs from "not listed". */
static const unsigned char transitions[STATES][EVENTS] = {
    [IDLE]    = {[TOO_COLD] = HEATING + 1, [OVERHEAT] = FAULT + 1},
    [HEATING] = {[WARM_ENOUGH] = COOLING + 1, [OVERHEAT] = FAULT + 1},
    [COOLING] = {[TOO_COLD] = HEATING + 1, [RESET] = IDLE + 1},
    [FAULT]   = {[RESET] = IDLE + 1},
};

enum state next_state(enum state state, enum event event)
{
    unsigned char next = transitions[state][event];
    return next ? (enum state)(next - 1) : state;
}
// snippet:usage
#include <stdio.h>

int main(void)
{
    const enum event events[] = {RESET, TOO_COLD, WARM_ENOUGH, OVERHEAT, TOO_COLD, OVERHEAT, TOO_COLD, RESET};
    enum state s = IDLE;
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        printf("%d ", s = next_state(s, events[i]));
    puts("");
}
