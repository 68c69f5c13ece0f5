<?php
// snippet:doc https://www.php.net/manual/en/function.hash-equals.php hash_equals
// snippet:description Check the signature of a web hook: an HMAC-SHA-256 over its time and body, compared by the function that is
// snippet:description made for secrets. A message whose time is more than five minutes off is refused, so that a recorded one can be
// snippet:description sent again only for some minutes.
/** Verifies a web hook: "t=<unix time>,v1=<hex HMAC-SHA-256 of time.body>". */
function isAuthentic(string $header, string $body, string $secret, int $now): bool
{
    if (!preg_match('/^t=(\d{1,12}),v1=([0-9a-f]{64})$/D', $header, $match)) {
        return false;
    }
    [, $time, $signature] = $match;
    $expected = hash_hmac('sha256', "$time.$body", $secret);
    $fresh = abs($now - (int) $time) <= 300; // an old message may be a replayed one
    return hash_equals($expected, $signature) && $fresh;
}
// snippet:usage
$sign = fn (int $t, string $b) => "t=$t,v1=" . hash_hmac('sha256', "$t.$b", 'k');
var_dump(isAuthentic($sign(1000, '{}'), '{}', 'k', 1100));
var_dump(isAuthentic($sign(1000, '{}'), '{"a":1}', 'k', 1100));
var_dump(isAuthentic($sign(1000, '{}'), '{}', 'k', 2000));
var_dump(isAuthentic('t=1,v1=x', '{}', 'k', 1));
// snippet:prints bool(true)
// snippet:prints bool(false)
// snippet:prints bool(false)
// snippet:prints bool(false)
