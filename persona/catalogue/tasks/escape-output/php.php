<?php
// snippet:doc https://www.php.net/manual/en/function.htmlspecialchars.php htmlspecialchars
/** Text for HTML, between tags and in quoted attributes. */
function e(string $text): string
{
    return htmlspecialchars($text, ENT_QUOTES | ENT_SUBSTITUTE | ENT_HTML5);
}

/** A link to what a stranger typed: only web addresses, everything else is shown as text. */
function safeLink(string $url, string $label): string
{
    $scheme = strtolower((string) parse_url($url, PHP_URL_SCHEME));
    return in_array($scheme, ['http', 'https'], true)
        ? sprintf('<a href="%s" rel="nofollow noopener">%s</a>', e($url), e($label))
        : e($label);
}

echo safeLink('https://example.com/?a=1&b=2', 'Tom & "Jerry"'), "\n";
echo safeLink('javascript:alert(1)', '<b>click me</b>'), "\n";
// snippet:prints <a href="https://example.com/?a=1&amp;b=2" rel="nofollow noopener">Tom &amp; &quot;Jerry&quot;</a>
// snippet:prints &lt;b&gt;click me&lt;/b&gt;
