// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/nio/file/SimpleFileVisitor.html java.nio.file.SimpleFileVisitor
// snippet:prints {logs=15, readme=2}
// snippet:prints missing
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.TreeMap;

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
// snippet:check
class Main {
    public static void main(String[] args) throws IOException {
        var dir = Files.createTempDirectory("snippet");
        Files.createDirectories(dir.resolve("logs/old"));
        Files.write(dir.resolve("logs/a"), new byte[10]);
        Files.write(dir.resolve("logs/old/b"), new byte[5]);
        Files.write(dir.resolve("readme"), new byte[2]);
        Files.createSymbolicLink(dir.resolve("link"), dir.resolve("logs/a"));
        System.out.println(FolderSizes.of(dir));
        var alias = Files.createSymbolicLink(dir.resolveSibling(dir.getFileName() + "-link"), dir);
        if (FolderSizes.of(alias).size() != 2) System.out.println("a link to a folder");
        Files.delete(alias);
        try {
            FolderSizes.of(dir.resolve("missing"));
        } catch (java.nio.file.NoSuchFileException e) {
            System.out.println("missing");
        }
        for (var p : new String[] {"logs/old/b", "logs/old", "logs/a", "logs", "readme", "link", ""}) Files.delete(dir.resolve(p));
    }
}
