<?php
// snippet:doc https://www.php.net/manual/en/function.pack.php pack
/** A frame: length, payload, CRC-32, all in network byte order. */
function frame(string $payload): string
{
    if (strlen($payload) > 0xFFFF) {
        throw new LengthException('a frame holds at most 65535 bytes');
    }
    return pack('n', strlen($payload)) . $payload . pack('N', crc32($payload));
}

function payloadOf(string $frame): string
{
    if (strlen($frame) < 6 || ($length = unpack('n', $frame)[1]) !== strlen($frame) - 6) {
        throw new UnexpectedValueException('the frame has the wrong length');
    }
    $payload = substr($frame, 2, $length);
    if (unpack('N', $frame, 2 + $length)[1] !== crc32($payload)) {
        throw new UnexpectedValueException('the frame was damaged on its way');
    }
    return $payload;
}
// snippet:check
$f = frame('temperature 21.5');
echo bin2hex(substr($f, -4)), ' ', payloadOf($f), "\n";
$f[5] = chr(ord($f[5]) ^ 1);
foreach ([$f, "\x00"] as $bad) {
    try {
        payloadOf($bad);
    } catch (UnexpectedValueException $e) {
        echo $e->getMessage(), "\n";
    }
}
// snippet:prints b6d35c71 temperature 21.5
// snippet:prints the frame was damaged on its way
// snippet:prints the frame has the wrong length
