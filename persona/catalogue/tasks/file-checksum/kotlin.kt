// snippet:doc https://kotlinlang.org/api/core/kotlin-stdlib/kotlin.io/ kotlin.io
// snippet:needs Kotlin 2.2
// snippet:prints 5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03
// snippet:prints false
import java.nio.file.Path
import java.security.DigestInputStream
import java.security.MessageDigest
import kotlin.io.path.inputStream

/** SHA-256 in hexadecimal; the file is streamed, whatever its size. */
fun Path.sha256(): String {
    val digest = MessageDigest.getInstance("SHA-256")
    DigestInputStream(inputStream(), digest).use { input ->
        val block = ByteArray(64 * 1024)
        while (input.read(block) >= 0) { /* the stream updates the digest */ }
    }
    return digest.digest().toHexString()
}

/** True if the file is what the publisher says it is. */
fun Path.matches(published: String): Boolean = sha256().equals(published.trim(), ignoreCase = true)
// snippet:check
fun main() {
    val file = kotlin.io.path.createTempFile()
    java.nio.file.Files.writeString(file, "hello\n")
    println(file.sha256())
    println(file.matches("00"))
    java.nio.file.Files.delete(file)
}
