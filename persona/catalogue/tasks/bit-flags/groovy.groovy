// snippet:doc https://docs.groovy-lang.org/latest/html/documentation/core-operators.html#_bitwise_operators Bitwise operators
// snippet:description Read the nine permission bits of a Unix file from text such as `rw-r--r--`, and write them as `ls -l` does.
// snippet:description Plus and minus add and remove permissions with masks.
// snippet:why Permissions are single bits, and a mask adds or removes several at once.
// snippet:title Unix file modes as bits
// snippet:prints true
// snippet:prints rwxrw-r--
/** Unix file modes: nine bits and the text that `ls -l` shows. */
class FileMode {
    private static final String LETTERS = 'rwx' * 3
    final int bits

    FileMode(int bits) {
        this.bits = bits & 0777
    }

    static FileMode parse(String text) {
        assert text ==~ /([r-][w-][x-]){3}/ : "not a file mode: $text"
        new FileMode(text.inject(0) { bits, letter -> bits << 1 | (letter == '-' ? 0 : 1) })
    }

    FileMode plus(FileMode other) { new FileMode(bits | other.bits) }
    FileMode minus(FileMode other) { new FileMode(bits & ~other.bits) }

    @Override
    String toString() {
        (8..0).collect { bit -> bits >> bit & 1 ? LETTERS[8 - bit] : '-' }.join()
    }
}
// snippet:check
println FileMode.parse('rw-r--r--').bits == 0644
println new FileMode(0755) - FileMode.parse('----wx-wx') + new FileMode(0020)
