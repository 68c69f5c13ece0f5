// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/security/SecureRandom.html java.security.SecureRandom
// snippet:needs Java 11
// snippet:prints 43 true false
import java.security.SecureRandom;
import java.util.Base64;
// snippet:usage

class Main {
    public static void main(String[] args) {
        var token = Tokens.next();
        System.out.println(token.length() + " " + token.matches("[A-Za-z0-9_-]+") + " " + token.equals(Tokens.next()));
    }
}
// snippet:end

final class Tokens {
    private static final SecureRandom RANDOM = new SecureRandom(); // safe for all threads

    /** 256 random bits in 43 characters that fit in a URL, a header or a cookie. */
    static String next() {
        byte[] bytes = new byte[32];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
