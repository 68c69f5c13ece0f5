// snippet:doc https://docs.junit.org/5.13.4/user-guide/#writing-tests-built-in-extensions-TempDirectory TempDir
// snippet:needs Java 11
// snippet:about JUnit
// snippet:check
// snippet:prints 2 passed, 0 failed
// snippet:end
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.*;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectorySizeTest {
    static long size(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) { // closed, or the folder stays open
            return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
        }
    }

    @TempDir
    Path folder;

    @Test
    void anEmptyFolderHasNoSize() throws IOException {
        assertEquals(0, size(folder));
    }

    @Test
    void foldersWithinCount() throws IOException {
        Files.writeString(Files.createDirectories(folder.resolve("a/b")).resolve("c.txt"), "12345");
        assertEquals(5, size(folder));
    }
}
