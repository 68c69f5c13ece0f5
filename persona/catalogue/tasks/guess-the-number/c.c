// snippet:doc https://pubs.opengroup.org/onlinepubs/9799919799/functions/getline.html POSIX getline
// snippet:needs a POSIX system
// snippet:prints I think of a number from 1 to 100.
// snippet:prints Higher.
// snippet:prints Please type a number from 1 to 100.
// snippet:prints Lower.
// snippet:prints Please type a number from 1 to 100.
// snippet:prints Found!
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The player narrows a number from 1 to 100 down. Returns the attempts, or 0
 * when the input ends. */
int play(FILE *in, int secret)
{
    char *line = NULL;
    size_t capacity = 0;
    int attempts = 0, found = 0;

    puts("I think of a number from 1 to 100.");
    while (!found && getline(&line, &capacity, in) > 0) {
        char *end;
        long guess = strtol(line, &end, 10);
        if (end == line || end[strspn(end, " \t\r\n")] != '\0' || guess < 1 || guess > 100) {
            puts("Please type a number from 1 to 100.");
            continue;
        }
        attempts++;
        found = guess == secret;
        puts(found ? "Found!" : guess < secret ? "Higher." : "Lower.");
    }
    free(line);
    return found ? attempts : 0;
}
// snippet:usage
int main(void)
{
    FILE *in = tmpfile();
    fputs("50 \r\n60x\n75\n0000000000000000000000000000000x60\n60", in);
    rewind(in);
    return play(in, 60) != 3;
}
