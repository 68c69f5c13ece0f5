<?php
// snippet:doc https://www.php.net/manual/en/function.hash.php hash
/**
 * One hash that stands for all leaves. Leaves and nodes are hashed with
 * different first bytes, so that a node cannot pass for a leaf (RFC 6962).
 *
 * @param non-empty-list<string> $leaves
 */
function merkleRoot(array $leaves): string
{
    $level = array_map(fn (string $leaf) => hash('sha256', "\x00" . $leaf, true), $leaves);
    while (count($level) > 1) {
        $level = array_map(
            fn (array $pair) => isset($pair[1]) ? hash('sha256', "\x01$pair[0]$pair[1]", true) : $pair[0],
            array_chunk($level, 2),
        );
    }
    return bin2hex($level[0]);
}

echo merkleRoot(['a', 'b', 'c']), "\n";
// snippet:prints 36642e73c2540ab121e3a6bf9545b0a24982cd830eb13d3cd19de3ce6c021ec1
