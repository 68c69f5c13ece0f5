// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/javax/crypto/SecretKeyFactory.html javax.crypto.SecretKeyFactory
// snippet:prints true false 600000
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** Keeps its own cost, so that it can be raised for new passwords. */
record PasswordHash(int iterations, byte[] salt, byte[] key) {
    private static final int ITERATIONS = 600_000; // OWASP's figure for PBKDF2 with SHA-256

    static PasswordHash of(char[] password) throws GeneralSecurityException {
        byte[] salt = new byte[16];
        new SecureRandom().nextBytes(salt);
        return new PasswordHash(ITERATIONS, salt, derive(password, salt, ITERATIONS));
    }

    boolean matches(char[] password) throws GeneralSecurityException {
        return MessageDigest.isEqual(key, derive(password, salt, iterations));
    }

    private static byte[] derive(char[] password, byte[] salt, int iterations) throws GeneralSecurityException {
        var spec = new PBEKeySpec(password, salt, iterations, 256);
        try {
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(spec).getEncoded();
        } finally {
            spec.clearPassword();
        }
    }
}
// snippet:check
class Main {
    public static void main(String[] args) throws Exception {
        var hash = PasswordHash.of("correct horse".toCharArray());
        System.out.println(hash.matches("correct horse".toCharArray()) + " " + hash.matches("wrong".toCharArray()) + " " + hash.iterations());
    }
}
