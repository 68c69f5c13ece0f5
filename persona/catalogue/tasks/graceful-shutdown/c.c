// snippet:doc https://pubs.opengroup.org/onlinepubs/9799919799/functions/sigaction.html POSIX sigaction
// snippet:needs a POSIX system
// snippet:title Let signals end the main loop
// snippet:description Let SIGTERM and Ctrl+C set a flag, which the main loop looks at. Blocking calls return with `EINTR`, so that
// snippet:description the loop sees it; what is to be finished then is up to the loop.
// snippet:prints stopped after 3 jobs
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <stdbool.h>
#include <string.h>

static volatile sig_atomic_t stop_requested;

static void request_stop(int signal_number)
{
    (void)signal_number;
    stop_requested = 1; /* little else is safe here: no printf, no free */
}

/* SIGTERM and Ctrl+C set a flag; blocking calls return with EINTR, because
 * SA_RESTART is not set, and the main loop sees the flag. One that comes just
 * before such a call does not end it: block both signals, and let ppoll() or
 * pselect() unblock them while it waits. */
bool stop_on_signals(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = request_stop;
    sigemptyset(&action.sa_mask);
    return sigaction(SIGTERM, &action, NULL) == 0
        && sigaction(SIGINT, &action, NULL) == 0;
}
// snippet:usage
#include <stdio.h>

int main(void)
{
    if (!stop_on_signals())
        return 1;
    int jobs = 0;
    while (!stop_requested) {
        if (++jobs == 3)
            raise(SIGTERM);
    }
    printf("stopped after %d jobs\n", jobs);
}
