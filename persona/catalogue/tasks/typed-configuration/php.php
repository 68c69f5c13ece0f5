<?php
// snippet:doc https://www.php.net/manual/en/function.getenv.php getenv
// snippet:needs PHP 8.2
final readonly class Config
{
    public function __construct(public string $databaseUrl, public int $port, public bool $debug)
    {
    }

    /** @throws RuntimeException naming every setting that is missing or wrong */
    public static function fromEnvironment(): self
    {
        $errors = []; // and not getenv(…) ?: …, which takes "0" for a missing value:
        $env = fn (string $name, string $default) => ($v = getenv($name)) === false ? $default : $v;
        $url = $env('DATABASE_URL', '');
        if ($url === '') {
            $errors[] = 'DATABASE_URL is missing';
        }
        $port = filter_var($env('PORT', '8080'), FILTER_VALIDATE_INT);
        if ($port === false || $port < 1 || $port > 65535) {
            $errors[] = 'PORT must be a number from 1 to 65535';
        }
        $debug = $env('DEBUG', 'false');
        if (!in_array($debug, ['true', 'false'], true)) {
            $errors[] = 'DEBUG must be true or false';
        }
        if ($errors) {
            throw new RuntimeException(implode('; ', $errors));
        }
        return new self($url, $port, $debug === 'true');
    }
}
// snippet:check
putenv('DATABASE_URL=sqlite:app.db');
echo json_encode(Config::fromEnvironment()), "\n";
putenv('DATABASE_URL');
putenv('PORT=0');
putenv('DEBUG=maybe');
try {
    Config::fromEnvironment();
} catch (RuntimeException $e) {
    echo $e->getMessage(), "\n";
}
// snippet:prints {"databaseUrl":"sqlite:app.db","port":8080,"debug":false}
// snippet:prints DATABASE_URL is missing; PORT must be a number from 1 to 65535; DEBUG must be true or false
