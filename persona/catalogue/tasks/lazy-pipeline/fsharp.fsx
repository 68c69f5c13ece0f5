// snippet:doc https://learn.microsoft.com/en-us/dotnet/fsharp/language-reference/sequences Sequences
/// An endless sequence from 1 or more; nothing is computed before somebody asks for it.
let collatz start =
    start |> Seq.unfold (fun n -> Some(n, if n % 2L = 0L then n / 2L else 3L * n + 1L))

let stepsToOne n = collatz n |> Seq.takeWhile ((<>) 1L) |> Seq.length

Seq.initInfinite (fun i -> int64 i + 1L)
|> Seq.map (fun n -> n, stepsToOne n)
|> Seq.filter (fun (_, steps) -> steps > 100)
|> Seq.truncate 3
|> Seq.iter (fun (n, steps) -> printfn "%d needs %d steps" n steps)
// snippet:prints 27 needs 111 steps
// snippet:prints 31 needs 106 steps
// snippet:prints 41 needs 109 steps
