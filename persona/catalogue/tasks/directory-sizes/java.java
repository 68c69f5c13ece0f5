// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/nio/file/Files.html#walk(java.nio.file.Path,java.nio.file.FileVisitOption...) java.nio.file.Files.walk
// snippet:prints {logs=15, readme=2}
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.summingLong;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

final class FolderSizes {
    /** Bytes below each direct child of {@code root}; symbolic links are not followed. */
    static Map<Path, Long> of(Path root) throws IOException {
        try (var paths = Files.walk(root)) { // holds open folders: close it
            return paths.filter(Files::isRegularFile).collect(groupingBy(
                    file -> root.relativize(file).getName(0),
                    TreeMap::new,
                    summingLong(FolderSizes::size)));
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            return 0; // gone since we saw it
        }
    }
}
// snippet:check
class Main {
    public static void main(String[] args) throws IOException {
        var dir = Files.createTempDirectory("snippet");
        Files.createDirectories(dir.resolve("logs/old"));
        Files.write(dir.resolve("logs/a"), new byte[10]);
        Files.write(dir.resolve("logs/old/b"), new byte[5]);
        Files.write(dir.resolve("readme"), new byte[2]);
        System.out.println(FolderSizes.of(dir));
        for (var p : new String[] {"logs/old/b", "logs/old", "logs/a", "logs", "readme", ""}) Files.delete(dir.resolve(p));
    }
}
