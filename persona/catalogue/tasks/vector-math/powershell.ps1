# snippet:doc https://learn.microsoft.com/en-us/powershell/module/microsoft.powershell.core/about/about_classes Classes
class Vector {
    [double]$X
    [double]$Y

    Vector([double]$x, [double]$y) { $this.X = $x; $this.Y = $y }

    static [Vector] op_Addition([Vector]$a, [Vector]$b) { return [Vector]::new($a.X + $b.X, $a.Y + $b.Y) }
    static [Vector] op_Multiply([Vector]$a, [double]$n) { return [Vector]::new($a.X * $n, $a.Y * $n) }

    [double] Dot([Vector]$other) { return $this.X * $other.X + $this.Y * $other.Y }
    # For components between about 1e-150 and 1e150: their squares must fit into a double.
    [double] Length() { return [Math]::Sqrt($this.Dot($this)) }

    # The zero vector has no direction: it stays zero instead of becoming NaN.
    [Vector] Unit() {
        $length = $this.Length()
        if ($length -eq 0) { return [Vector]::new(0, 0) }
        return $this * (1 / $length)
    }

    [string] ToString() { return "($($this.X), $($this.Y))" }
}

$position = [Vector]::new(1, 2) + [Vector]::new(2, 2)
"$position is $($position.Length()) long, its direction is $($position.Unit())"
