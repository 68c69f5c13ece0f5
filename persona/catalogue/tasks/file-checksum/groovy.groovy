// snippet:doc https://docs.groovy-lang.org/latest/html/groovy-jdk/java/io/File.html Groovy JDK: File
// snippet:prints 5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03  app.jar
import java.security.MessageDigest

/** SHA-256 in hexadecimal, read in blocks: artefacts of any size. */
String sha256(File file) {
    def digest = MessageDigest.getInstance('SHA-256')
    file.eachByte(64 * 1024) { buffer, length -> digest.update(buffer, 0, length) }
    digest.digest().encodeHex()
}

/** Writes the format that `sha256sum --check` reads; names hold no line feed and no backslash. */
void writeChecksums(File folder, File target) {
    assert folder.directory : "not a folder: $folder"
    target.text = folder.listFiles()
            .findAll { it.file && it.canonicalFile != target.canonicalFile }
            .sort { it.name }
            .collect { "${sha256(it)}  ${it.name}\n" }
            .join()
}
// snippet:check
def folder = File.createTempDir()
new File(folder, 'app.jar').text = 'hello\n'
def target = new File(folder, 'SHA256SUMS')
writeChecksums(folder, target)
print target.text
folder.deleteDir()
