// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/javax/crypto/Mac.html javax.crypto.Mac
// snippet:needs Java 17
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
// snippet:usage
// snippet:prints true false

class Main {
    public static void main(String[] args) throws GeneralSecurityException {
        var verifier = WebhookVerifier.withSecret("key".getBytes());
        var body = "The quick brown fox jumps over the lazy dog".getBytes();
        var header = "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8";
        System.out.println(verifier.accepts(body, header) + " " + verifier.accepts("other".getBytes(), header));
        // snippet:check
        // snippet:prints false false
        System.out.println(verifier.accepts(body, "?") + " " + verifier.accepts(body, null));
        // snippet:usage
    }
}
// snippet:end

record WebhookVerifier(SecretKeySpec key) {
    static WebhookVerifier withSecret(byte[] secret) {
        return new WebhookVerifier(new SecretKeySpec(secret, "HmacSHA256"));
    }

    /** True if the header is the HMAC-SHA-256 of the raw body. */
    boolean accepts(byte[] body, String header) throws GeneralSecurityException {
        if (header == null) return false; // not signed at all
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(key);
        byte[] expected = mac.doFinal(body);
        try {
            byte[] given = HexFormat.of().parseHex(header.strip());
            return MessageDigest.isEqual(expected, given);
        } catch (IllegalArgumentException notHex) {
            return false;
        }
    }
}
