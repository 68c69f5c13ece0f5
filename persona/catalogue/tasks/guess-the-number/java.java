// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/Scanner.html Scanner
// snippet:needs Java 11
import java.util.Scanner;
// snippet:usage
// snippet:prints I think of a number from 1 to 100.

class Main {
    public static void main(String[] args) {
        int attempts = Guess.play(new Scanner(System.in), 1 + (int) (Math.random() * 100));
        if (attempts > 0) System.out.println(attempts + " attempts");
        // snippet:check
        // snippet:prints I think of a number from 1 to 100.
        // snippet:prints Higher.
        // snippet:prints Please type a number from 1 to 100.
        // snippet:prints Lower.
        // snippet:prints Please type a number from 1 to 100.
        // snippet:prints Found!
        if (Guess.play(new Scanner("50 \nsixty\n75\n101\n60\n"), 60) != 3) throw new AssertionError();
        // snippet:usage
    }
}
// snippet:end

final class Guess {
    /** The player narrows the secret down. Returns the attempts, or 0 when the input ends. */
    static int play(Scanner in, int secret) {
        System.out.println("I think of a number from 1 to 100.");
        int attempts = 0;
        while (in.hasNextLine()) {
            String text = in.nextLine().strip();
            int guess = text.matches("[0-9]{1,3}") ? Integer.parseInt(text) : 0;
            if (guess < 1 || guess > 100) {
                System.out.println("Please type a number from 1 to 100.");
                continue;
            }
            attempts++;
            System.out.println(guess == secret ? "Found!" : guess < secret ? "Higher." : "Lower.");
            if (guess == secret) {
                return attempts;
            }
        }
        return 0;
    }
}
