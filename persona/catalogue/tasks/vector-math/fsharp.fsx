// snippet:doc https://learn.microsoft.com/en-us/dotnet/fsharp/language-reference/operator-overloading Operator overloading
type Vec2 =
    { X: float; Y: float }
    static member (+)(a, b) = { X = a.X + b.X; Y = a.Y + b.Y }
    static member (-)(a, b) = { X = a.X - b.X; Y = a.Y - b.Y }
    static member (*)(k, v) = { X = k * v.X; Y = k * v.Y }
    member v.Dot w = v.X * w.X + v.Y * w.Y
    /// For components between about 1e-150 and 1e150: their squares must fit into a float.
    member v.Length = sqrt (v.Dot v)

/// The same direction with length 1; the zero vector has none.
let normalise (v: Vec2) =
    if v.Length > 0. then Some((1. / v.Length) * v) else None
// snippet:check
let v = { X = 1.; Y = 2. } + { X = 2.; Y = 2. }
printfn "%.1f %A" v.Length (normalise (v - v) = None)
match normalise v with
| Some n -> printfn "%.2f %.2f" n.X n.Y
| None -> ()
// snippet:prints 5.0 true
// snippet:prints 0.60 0.80
