// snippet:doc https://learn.microsoft.com/en-us/dotnet/fsharp/language-reference/active-patterns Active patterns
open System.Text.RegularExpressions

let private lineFormat = Regex(@"^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}):[0-9]{2}:[0-9]{2}\S*\s+([A-Z]+)\b")

/// A log line that begins "2025-03-04T10:15:30Z ERROR", taken apart.
let (|Entry|_|) line =
    let m = lineFormat.Match line
    if m.Success then Some(m.Groups[1].Value, m.Groups[2].Value) else None

/// Errors per hour, in order of time. Lines are read as they are needed: give it File.ReadLines.
let errorsPerHour (lines: string seq) =
    lines
    |> Seq.choose (function
        | Entry(hour, ("ERROR" | "FATAL")) -> Some hour
        | _ -> None) // another level or another format
    |> Seq.countBy id
    |> Seq.sortBy fst
    |> Seq.toList
// snippet:usage
[ "2025-03-04T10:15:30Z ERROR disk full"
  "  at Store.Write"
  "2025-03-04T11:01:00Z FATAL stopped"
  "2025-03-04T10:59:59Z INFO ok"
  "2025-03-04T10:59:59Z ERROR_COUNT=0"
  "2025-03-04T10:zz ERROR no time"
  "2025-03-04T10:59:59Z ERROR disk full" ]
|> errorsPerHour
|> List.iter (fun (hour, count) -> printfn "%s %d" hour count)
// snippet:prints 2025-03-04T10 2
// snippet:prints 2025-03-04T11 1
