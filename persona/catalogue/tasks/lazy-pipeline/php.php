<?php
// snippet:doc https://www.php.net/manual/en/language.generators.overview.php Generators
function map(callable $f, iterable $items): Generator
{
    foreach ($items as $item) {
        yield $f($item);
    }
}

function where(callable $test, iterable $items): Generator
{
    foreach ($items as $item) {
        if ($test($item)) {
            yield $item;
        }
    }
}

function take(int $n, iterable $items): Generator
{
    foreach ($n > 0 ? $items : [] as $item) {
        yield $item;
        if (--$n === 0) {
            return; // nothing behind this is ever computed
        }
    }
}

$numbers = (function () { for ($i = 1; ; $i++) yield $i; })(); // endless
$squares = map(fn (int $n) => $n ** 2, where(fn (int $n) => $n % 2 === 1, $numbers));
echo implode(' ', iterator_to_array(take(5, $squares), preserve_keys: false)), "\n";
// snippet:prints 1 9 25 49 81
