// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/nio/ByteBuffer.html java.nio.ByteBuffer
// snippet:needs Java 16
// snippet:prints Optional[1 hi] Optional.empty 6
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/** Magic "MX", one byte kind, two bytes length (big-endian), then the payload. */
record Frame(int kind, byte[] payload) {
    private static final int HEADER = 5;
    private static final short MAGIC = 0x4D58;

    /** Takes one frame out of the buffer; empty (and nothing taken) if it is not complete. */
    static Optional<Frame> read(ByteBuffer in) {
        in.order(ByteOrder.BIG_ENDIAN);
        if (in.remaining() < HEADER) return Optional.empty();
        if (in.getShort(in.position()) != MAGIC) {
            throw new IllegalArgumentException("no frame at byte " + in.position());
        }
        int length = Short.toUnsignedInt(in.getShort(in.position() + 3));
        if (in.remaining() < HEADER + length) return Optional.empty();

        int kind = Byte.toUnsignedInt(in.get(in.position() + 2));
        in.position(in.position() + HEADER);
        byte[] payload = new byte[length];
        in.get(payload);
        return Optional.of(new Frame(kind, payload));
    }
}
// snippet:check
class Main {
    public static void main(String[] args) {
        var in = ByteBuffer.wrap("MX\u0001\u0000\u0002hiMX\u0001\u0000\u0009x".getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
        System.out.println(Frame.read(in).map(f -> f.kind() + " " + new String(f.payload())) + " " + Frame.read(in) + " " + in.remaining());
    }
}
