// snippet:doc https://learn.microsoft.com/en-us/dotnet/fsharp/language-reference/strings F# strings
let initials (name: string) =
    name.Split ' '
    |> Array.filter (fun word -> word <> "")
    |> Array.map (fun word -> word.Substring(0, 1).ToUpper())
    |> String.concat ""

let cases =
    [ "two words", "Ada Lovelace", "AL"
      "lower case", "grace hopper", "GH"
      "extra spaces", "  Alan   Turing ", "AT"
      "nothing", "", "" ]

for name, input, expected in cases do
    match initials input with
    | actual when actual = expected -> printfn "ok   %s" name
    | actual -> printfn "FAIL %s: got %s" name actual
// snippet:prints ok   two words
// snippet:prints ok   lower case
// snippet:prints ok   extra spaces
// snippet:prints ok   nothing
