<?php
// snippet:doc https://www.php.net/manual/en/function.random-bytes.php random_bytes
// snippet:needs PHP 8.2
/** An unguessable token for links and sessions: 256 bits, safe in a URL. */
function newToken(): string
{
    return rtrim(strtr(base64_encode(random_bytes(32)), '+/', '-_'), '=');
}

/** What is stored is only the token's hash: a leaked table opens no doors. */
function tokenHash(#[SensitiveParameter] string $token): string
{
    return hash('sha256', $token);
}
// snippet:usage
$t = newToken();
echo preg_match('/^[A-Za-z0-9_-]{43}$/', $t), ' ', (int) ($t !== newToken()), ' ', strlen(tokenHash($t)), "\n";
// snippet:prints 1 1 64
