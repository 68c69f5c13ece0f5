<?php
// snippet:doc https://docs.phpunit.de/en/11.5/writing-tests-for-phpunit.html#data-providers PHPUnit data providers
// snippet:needs PHP with the mbstring extension
function initials(string $name): string
{
    preg_match_all('/(?<!\S)\p{L}/u', $name, $letters);
    return mb_strtoupper(implode('', $letters[0]));
}

$cases = [
    'two words'    => ['Ada Lovelace', 'AL'],
    'lower case'   => ['grace hopper', 'GH'],
    'accents'      => ['Émile Zola', 'ÉZ'],
    'apostrophe'   => ["Conan O'Brien", 'CO'],
    'extra spaces' => ['  Alan   Turing ', 'AT'],
    'nothing'      => ['', ''],
];
$failures = 0;
foreach ($cases as $name => [$input, $expected]) {
    $actual = initials($input);
    if ($actual !== $expected) {
        $failures++;
        echo "FAIL $name: got \"$actual\" instead of \"$expected\"\n";
    }
}
printf("%d cases, %d failed\n", count($cases), $failures);
exit($failures > 0 ? 1 : 0);
// snippet:prints 6 cases, 0 failed
