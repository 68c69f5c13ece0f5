<?php
// snippet:doc https://www.php.net/manual/en/function.rename.php rename
// snippet:needs PHP 8.1
/** Readers see the old content or the new one, never half of it. */
function writeAtomically(string $path, string $content): void
{
    $folder = realpath(dirname($path));
    $temporary = tempnam($folder, '.new-');
    try {
        if (dirname($temporary) !== $folder) { // tempnam went elsewhere: rename would not be atomic
            throw new RuntimeException('cannot write to ' . dirname($path));
        }
        $file = fopen($temporary, 'wb');
        if (fwrite($file, $content) !== strlen($content) || !fsync($file)) {
            throw new RuntimeException("cannot write $path");
        }
        fclose($file);
        chmod($temporary, is_file($path) ? fileperms($path) & 0o777 : 0o666 & ~umask());
        if (!rename($temporary, $path)) {
            throw new RuntimeException("cannot replace $path");
        }
    } catch (Throwable $error) {
        @unlink($temporary);
        throw $error;
    }
}
// snippet:usage
writeAtomically('state.json', '{"n": 1}');
writeAtomically('state.json', '{"n": 2}');
echo file_get_contents('state.json'), "\n";
// snippet:prints {"n": 2}
// snippet:check
echo count(glob('.new-*')), ' ', decoct(fileperms('state.json') & 0o777), "\n";
// snippet:prints 0 644
