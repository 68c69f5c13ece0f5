<?php
// snippet:doc https://www.php.net/manual/en/function.filter-var.php filter_var
/** @return array<string, string> what is wrong, by field; empty if all is well */
function signUpErrors(array $input): array
{
    $errors = [];
    $text = fn (string $name) => is_string($input[$name] ?? null) ? trim($input[$name]) : '';
    if ($text('name') === '') {
        $errors['name'] = 'Please tell us your name.';
    }
    if (filter_var($text('email'), FILTER_VALIDATE_EMAIL) === false) {
        $errors['email'] = 'Write an e-mail address like ada@example.com.';
    }
    $range = ['options' => ['min_range' => 16, 'max_range' => 120]];
    if (filter_var($text('age'), FILTER_VALIDATE_INT, $range) === false) {
        $errors['age'] = 'Age is a whole number from 16 to 120.';
    }
    return $errors;
}
// snippet:usage
echo json_encode(signUpErrors(['name' => 'Ada', 'email' => 'ada@example.com', 'age' => '36'])), "\n";
echo implode(', ', array_keys(signUpErrors(['name' => ['x'], 'email' => 'a@', 'age' => '15']))), "\n";
// snippet:prints []
// snippet:prints name, email, age
