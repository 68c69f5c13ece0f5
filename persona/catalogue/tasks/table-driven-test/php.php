<?php
// snippet:doc https://docs.phpunit.de/en/11.5/writing-tests-for-phpunit.html#data-providers PHPUnit data providers
function initials(string $name): string
{
    preg_match_all('/\b\p{L}/u', $name, $letters);
    return mb_strtoupper(implode('', $letters[0]));
}

$cases = [
    'two words'    => ['Ada Lovelace', 'AL'],
    'lower case'   => ['grace hopper', 'GH'],
    'accents'      => ['Émile Zola', 'ÉZ'],
    'extra spaces' => ['  Alan   Turing ', 'AT'],
    'nothing'      => ['', ''],
];
foreach ($cases as $name => [$input, $expected]) {
    $actual = initials($input);
    $verdict = $actual === $expected ? 'ok  ' : 'FAIL';
    printf("%s %s%s\n", $verdict, $name, $actual === $expected ? '' : ": got $actual");
}
// snippet:prints ok   two words
// snippet:prints ok   lower case
// snippet:prints ok   accents
// snippet:prints ok   extra spaces
// snippet:prints ok   nothing
