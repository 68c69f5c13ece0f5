<?php
// snippet:doc https://www.php.net/manual/en/function.hash-file.php hash_file
/** Whether the file has the SHA-256 that its publisher announced. */
function isUnchanged(string $path, string $expected): bool
{
    $actual = hash_file('sha256', $path); // reads in blocks, whatever the size
    if ($actual === false) {
        throw new RuntimeException("cannot read $path");
    }
    return hash_equals(strtolower($expected), $actual);
}
// snippet:check
file_put_contents('a.txt', 'hello');
echo hash_file('sha256', 'a.txt'), "\n";
var_dump(isUnchanged('a.txt', strtoupper(hash('sha256', 'hello'))), isUnchanged('a.txt', hash('sha256', 'hallo')));
// snippet:prints 2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824
// snippet:prints bool(true)
// snippet:prints bool(false)
