// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/security/DigestInputStream.html java.security.DigestInputStream
// snippet:needs Java 17
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
// snippet:usage
// snippet:prints 5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03

class Main {
    public static void main(String[] args) throws IOException {
        var file = Files.writeString(Path.of("greeting.txt"), "hello\n");
        System.out.println(Checksum.sha256(file));
    }
}
// snippet:end

final class Checksum {
    /** SHA-256 in hexadecimal, streamed: a file of any size in constant memory. */
    static String sha256(Path file) throws IOException {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
        try (var in = new DigestInputStream(Files.newInputStream(file), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
