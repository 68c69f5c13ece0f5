// snippet:doc https://learn.microsoft.com/en-us/dotnet/fsharp/language-reference/sequences Sequences
/// An endless sequence; nothing is computed before somebody asks for it.
let collatz start =
    start |> Seq.unfold (fun n -> Some(n, if n % 2 = 0 then n / 2 else 3 * n + 1))

let stepsToOne n = collatz n |> Seq.takeWhile ((<>) 1) |> Seq.length

Seq.initInfinite ((+) 1)
|> Seq.map (fun n -> n, stepsToOne n)
|> Seq.filter (fun (_, steps) -> steps > 100)
|> Seq.truncate 3
|> Seq.iter (fun (n, steps) -> printfn "%d needs %d steps" n steps)
// snippet:prints 27 needs 111 steps
// snippet:prints 31 needs 106 steps
// snippet:prints 41 needs 109 steps
