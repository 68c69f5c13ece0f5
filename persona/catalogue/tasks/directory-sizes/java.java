// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/nio/file/SimpleFileVisitor.html java.nio.file.SimpleFileVisitor
// snippet:needs Java 11
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.TreeMap;
// snippet:usage
// snippet:prints {logs=15, readme=2}

class Main {
    public static void main(String[] args) throws IOException {
        Files.createDirectories(Path.of("app/logs/old"));
        Files.write(Path.of("app/logs/a"), new byte[10]);
        Files.write(Path.of("app/logs/old/b"), new byte[5]);
        Files.write(Path.of("app/readme"), new byte[2]);
        System.out.println(FolderSizes.of(Path.of("app")));
        // snippet:check
        // snippet:prints 2
        // snippet:prints missing
        Files.createSymbolicLink(Path.of("app/link"), Path.of("readme"));
        System.out.println(FolderSizes.of(Files.createSymbolicLink(Path.of("alias"), Path.of("app"))).size());
        try {
            FolderSizes.of(Path.of("missing"));
        } catch (java.nio.file.NoSuchFileException e) {
            System.out.println("missing");
        }
        // snippet:usage
    }
}
// snippet:end

final class FolderSizes {
    /** Bytes of each direct child that is a file or holds one; symbolic links in it are not followed. */
    static Map<Path, Long> of(Path folder) throws IOException {
        var root = folder.toRealPath(); // the folder itself may be a link
        if (!Files.isDirectory(root)) throw new NotDirectoryException(folder.toString());
        var sizes = new TreeMap<Path, Long>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (attributes.isRegularFile()) { // a link is none
                    sizes.merge(root.relativize(file).getName(0), attributes.size(), Long::sum);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (file.equals(root)) throw e;
                return FileVisitResult.CONTINUE; // unreadable, or gone since we saw it
            }
        });
        return sizes;
    }
}
