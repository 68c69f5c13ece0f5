<?php
// snippet:doc https://www.php.net/manual/en/class.random-randomizer.php Random\Randomizer
// snippet:needs PHP 8.2
/** Rolls "3d6+2". With a seeded engine the luck is repeatable. */
function roll(string $notation, Random\Randomizer $random): string
{
    if (!preg_match('/^(\d{0,2})d(\d{1,3})([+-]\d{1,3})?$/D', $notation, $m) || $m[2] < 1) {
        throw new InvalidArgumentException("not a roll: $notation");
    }
    $dice = [];
    for ($i = 0; $i < max(1, (int) $m[1]); $i++) {
        $dice[] = $random->getInt(1, (int) $m[2]);
    }
    $sum = array_sum($dice) + (int) ($m[3] ?? 0);
    return "$notation: " . implode(' + ', $dice) . ($m[3] ?? '') . " = $sum";
}

$random = new Random\Randomizer(new Random\Engine\Mt19937(seed: 7));
echo roll('3d6+2', $random), "\n", roll('d20', $random), "\n";
// snippet:prints 3d6+2: 4 + 5 + 2+2 = 13
// snippet:prints d20: 7 = 7
