// snippet:doc https://learn.microsoft.com/en-us/dotnet/fsharp/language-reference/plaintext-formatting Plain text formatting
let barChart width (rows: (string * float) list) =
    let most = rows |> List.map snd |> List.fold max 0.
    let label = rows |> List.map (fun (name, _) -> name.Length) |> List.fold max 0
    for name, value in rows do
        let length = if most > 0. then int (round (max 0. value / most * float width)) else 0
        printfn "%s %s %s" (name.PadRight label) (String.replicate length "█") (string value)

barChart 30 [ "Mon", 1200.; "Tuesday", 1850.; "Wed", -0.5 ]
// snippet:prints Mon     ███████████████████ 1200
// snippet:prints Tuesday ██████████████████████████████ 1850
// snippet:prints Wed      -0.5
