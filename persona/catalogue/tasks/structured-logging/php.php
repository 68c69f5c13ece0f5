<?php
// snippet:doc https://www.php-fig.org/psr/psr-3/ PSR-3: logger interface
/** Writes one JSON object per line, which log collectors read without a pattern. */
final class JsonLogger
{
    private const SECRET = '/password|token|secret|authorization/i';

    /** @param resource $stream */
    public function __construct(private $stream, private array $context = [])
    {
    }

    /** A logger that adds these fields to everything, such as a request's id. */
    public function with(array $context): self
    {
        return new self($this->stream, [...$this->context, ...$context]);
    }

    public function log(string $level, string $message, array $context = []): void
    {
        $entry = ['time' => date(DATE_RFC3339), 'level' => $level, 'message' => $message];
        $entry = [...$entry, ...$this->context, ...$context];
        foreach (preg_grep(self::SECRET, array_keys($entry)) as $name) { // not within nested arrays
            $entry[$name] = '[hidden]';
        }
        $line = json_encode($entry, JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR);
        fwrite($this->stream, "$line\n");
    }
}
// snippet:check
$out = fopen('php://memory', 'w+');
(new JsonLogger($out))->with(['request' => 'r1'])->log('warning', 'slow answer', ['path' => '/a', 'ms' => 900, 'api_token' => 'x']);
rewind($out);
echo preg_replace('/"time":"[^"]+"/', '"time":"…"', stream_get_contents($out));
// snippet:prints {"time":"…","level":"warning","message":"slow answer","request":"r1","path":"\/a","ms":900,"api_token":"[hidden]"}
