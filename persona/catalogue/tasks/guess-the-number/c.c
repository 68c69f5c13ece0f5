// snippet:doc https://en.cppreference.com/w/c/io/fgets fgets
// snippet:prints I think of a number from 1 to 100.
// snippet:prints Higher.
// snippet:prints Please type a number from 1 to 100.
// snippet:prints Lower.
// snippet:prints Found in 3 attempts!
#include <stdio.h>
#include <stdlib.h>

/* The player narrows a number from 1 to 100 down. Returns the attempts, or 0
 * when the input ends. */
int play(FILE *in, int secret)
{
    char line[32];
    int attempts = 0;

    puts("I think of a number from 1 to 100.");
    while (fgets(line, sizeof line, in)) {
        char *end;
        long guess = strtol(line, &end, 10);
        if (end == line || *end != '\n' || guess < 1 || guess > 100) {
            puts("Please type a number from 1 to 100.");
            continue;
        }
        attempts++;
        if (guess == secret) {
            printf("Found in %d attempts!\n", attempts);
            return attempts;
        }
        puts(guess < secret ? "Higher." : "Lower.");
    }
    return 0;
}
// snippet:check
int main(void)
{
    FILE *in = tmpfile();
    fputs("50\n60x\n75\n60\n", in);
    rewind(in);
    return play(in, 60) != 3;
}
