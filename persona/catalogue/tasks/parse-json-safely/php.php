<?php
// snippet:doc https://www.php.net/manual/en/function.json-decode.php json_decode
// snippet:needs PHP 8.2
final readonly class Weather
{
    private function __construct(public string $city, public float $celsius, public ?string $note)
    {
    }

    public static function fromJson(string $json): self
    {
        $data = json_decode($json, associative: true, flags: JSON_THROW_ON_ERROR);
        $wrong = fn (string $what) => new UnexpectedValueException("weather: $what");
        return new self(
            city: is_string($data['city'] ?? null) ? $data['city'] : throw $wrong('"city" is no text'),
            celsius: is_int($data['celsius'] ?? null) || is_float($data['celsius'] ?? null)
                ? $data['celsius']
                : throw $wrong('"celsius" is no number'),
            note: is_string($data['note'] ?? '') ? $data['note'] ?? null : throw $wrong('"note" is no text'),
        );
    }
}
// snippet:check
echo json_encode(Weather::fromJson('{"city": "Oslo", "celsius": -3}')), "\n";
foreach (['{"city": "Oslo"}', '{"city": 3}', '{"city": "Oslo", "celsius": 1, "note": []}', '[]', '{'] as $bad) {
    try {
        Weather::fromJson($bad);
    } catch (UnexpectedValueException | JsonException $e) {
        echo $e->getMessage(), "\n";
    }
}
// snippet:prints {"city":"Oslo","celsius":-3,"note":null}
// snippet:prints weather: "celsius" is no number
// snippet:prints weather: "city" is no text
// snippet:prints weather: "note" is no text
// snippet:prints weather: "city" is no text
// snippet:prints Syntax error
