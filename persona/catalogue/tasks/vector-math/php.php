<?php
// snippet:doc https://www.php.net/manual/en/language.oop5.basic.php#language.oop5.basic.class.readonly Readonly classes
// snippet:needs PHP 8.2
final readonly class Vec2
{
    public function __construct(public float $x, public float $y)
    {
    }

    public function plus(self $v): self
    {
        return new self($this->x + $v->x, $this->y + $v->y);
    }

    public function dot(self $v): float
    {
        return $this->x * $v->x + $this->y * $v->y;
    }

    /** The same direction with length 1; the zero vector has none and stays. */
    public function normalised(): self
    {
        $length = hypot($this->x, $this->y);
        return $length > 0.0 ? new self($this->x / $length, $this->y / $length) : $this;
    }
}
// snippet:usage
$v = (new Vec2(1, 2))->plus(new Vec2(2, 2));
echo json_encode($v), ' ', json_encode($v->normalised()), ' ', $v->dot(new Vec2(2, 0)), "\n";
// snippet:prints {"x":3,"y":4} {"x":0.6,"y":0.8} 6
// snippet:check
echo json_encode((new Vec2(0, 0))->normalised()), "\n";
// snippet:prints {"x":0,"y":0}
