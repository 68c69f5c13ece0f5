// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/nio/file/Files.html java.nio.file.Files
// snippet:prints version=2 1
import java.nio.file.Files
import java.nio.file.Path
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING

/** Replaces a file: readers see the old content or the new one, never half. On POSIX, only its owner
 *  may read the new file. */
void writeAtomically(Path target, String content) {
    def folder = target.toAbsolutePath().parent
    def temporary = Files.createTempFile(folder, '.', '.tmp')
    try {
        Files.write(temporary, content.getBytes('UTF-8'))
        Files.move(temporary, target, ATOMIC_MOVE, REPLACE_EXISTING)
    } finally {
        Files.deleteIfExists(temporary)
    }
}
// snippet:check
def folder = Files.createTempDirectory('snippet')
writeAtomically(folder.resolve('gradle.properties'), 'version=1')
writeAtomically(folder.resolve('gradle.properties'), 'version=2')
println Files.readString(folder.resolve('gradle.properties')) + ' ' + folder.toFile().list().length
writeAtomically(folder.resolve('n' * 250), '')
folder.toFile().deleteDir()
