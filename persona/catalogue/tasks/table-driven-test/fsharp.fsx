// snippet:doc https://learn.microsoft.com/en-us/dotnet/fsharp/language-reference/lists F# lists
// The first UTF-16 unit of each word: enough for most names.
let initials (name: string) =
    name.Split ' '
    |> Array.filter (fun word -> word <> "")
    |> Array.map (fun word -> word.Substring(0, 1).ToUpperInvariant())
    |> String.concat ""

let cases =
    [ "two words", "Ada Lovelace", "AL"
      "lower case", "grace hopper", "GH"
      "extra spaces", "  Alan   Turing ", "AT"
      "nothing", "", "" ]

let failures =
    [ for name, input, expected in cases do
          let actual = initials input
          if actual <> expected then
              $"{name}: got {actual}, expected {expected}" ]

failures |> List.iter (eprintfn "FAIL %s")
if not (List.isEmpty failures) then failwith "some rows failed" // ends with a status that is not 0
printfn "%d rows passed" cases.Length
// snippet:prints 4 rows passed
