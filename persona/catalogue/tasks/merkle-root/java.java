// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/security/MessageDigest.html java.security.MessageDigest
// snippet:needs Java 21
// snippet:prints 36642e73
// snippet:prints e3b0c442
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

final class Merkle {
    /** RFC 9162: leaves and nodes have different prefixes, so none can pass for the other. */
    static byte[] root(List<byte[]> leaves) throws NoSuchAlgorithmException {
        return switch (leaves.size()) {
            case 0 -> sha256();
            case 1 -> sha256(new byte[] {0}, leaves.getFirst());
            default -> {
                int split = Integer.highestOneBit(leaves.size() - 1);
                var left = root(leaves.subList(0, split));
                var right = root(leaves.subList(split, leaves.size()));
                yield sha256(new byte[] {1}, left, right);
            }
        };
    }

    private static byte[] sha256(byte[]... parts) throws NoSuchAlgorithmException {
        var digest = MessageDigest.getInstance("SHA-256");
        for (var part : parts) {
            digest.update(part);
        }
        return digest.digest();
    }
}
// snippet:check
class Main {
    public static void main(String[] args) throws Exception {
        var hex = java.util.HexFormat.of();
        System.out.println(hex.formatHex(Merkle.root(List.of("a".getBytes(), "b".getBytes(), "c".getBytes())), 0, 4));
        System.out.println(hex.formatHex(Merkle.root(List.of()), 0, 4));
    }
}
