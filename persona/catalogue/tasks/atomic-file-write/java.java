// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/nio/file/Files.html java.nio.file.Files
// snippet:needs Java 11
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
// snippet:usage
// snippet:prints {"a":1}

class Main {
    public static void main(String[] args) throws IOException {
        var file = Path.of("settings.json");
        AtomicFile.write(file, "{}".getBytes());
        AtomicFile.write(file, "{\"a\":1}".getBytes());
        System.out.println(Files.readString(file));
        // snippet:check
        // snippet:prints 0
        try (var list = Files.list(Path.of(""))) {
            System.out.println(list.filter(f -> f.toString().endsWith(".tmp")).count());
        }
        // snippet:usage
    }
}
// snippet:end

final class AtomicFile {
    /** Readers see the old content or the new one, never half. On POSIX, only its owner may read the file. */
    static void write(Path target, byte[] content) throws IOException {
        Path folder = target.toAbsolutePath().getParent();
        Path temporary = Files.createTempFile(folder, ".", ".tmp");
        try {
            try (var out = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
                var buffer = ByteBuffer.wrap(content);
                while (buffer.hasRemaining()) out.write(buffer);
                out.force(true); // on the disk before it gets its name
            }
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}
