// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/security/MessageDigest.html java.security.MessageDigest
// snippet:needs Kotlin 2.2
// snippet:prints 36642e73
import java.security.MessageDigest

private fun sha256(vararg parts: ByteArray): ByteArray =
    MessageDigest.getInstance("SHA-256").apply { parts.forEach(::update) }.digest()

private val LEAF = byteArrayOf(0)
private val NODE = byteArrayOf(1) // different prefixes: a node cannot pass for a leaf

/** The Merkle tree hash of RFC 9162. */
fun merkleRoot(leaves: List<ByteArray>): ByteArray = when (leaves.size) {
    0 -> sha256()
    1 -> sha256(LEAF, leaves.single())
    else -> {
        val split = (leaves.size - 1).takeHighestOneBit()
        sha256(NODE, merkleRoot(leaves.take(split)), merkleRoot(leaves.drop(split)))
    }
}
// snippet:usage
fun main() = println(merkleRoot(listOf("a", "b", "c").map { it.toByteArray() }).toHexString().take(8))
