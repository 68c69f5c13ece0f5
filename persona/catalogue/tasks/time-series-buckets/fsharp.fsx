// snippet:doc https://fsharp.github.io/fsharp-core-docs/reference/fsharp-collections-listmodule.html#groupBy List.groupBy
type Bucket = { Start: int64; Count: int; Mean: float option }

/// Readings as (unix time, value) into equal intervals, with the gaps between them.
let buckets (seconds: int64) readings =
    let groups =
        readings
        |> List.groupBy (fun (time, _) -> time - (time % seconds + seconds) % seconds) // downwards before 1970, too
        |> List.map (fun (start, group) -> start, List.map snd group)
        |> Map.ofList
    match groups |> Map.toList |> List.map fst with
    | [] -> []
    | starts ->
        [ for start in List.min starts .. seconds .. List.max starts ->
              let values = groups |> Map.tryFind start |> Option.defaultValue []
              let mean = if List.isEmpty values then None else Some(List.average values)
              { Start = start; Count = values.Length; Mean = mean } ]
// snippet:check
for b in buckets 60L [ 4102444800L, 20.0; 4102444830L, 22.0; 4102444930L, 25.5 ] do // the year 2100
    let mean = b.Mean |> Option.map (sprintf "%.1f") |> Option.defaultValue "-"
    printfn "%d %d %s" b.Start b.Count mean
// snippet:prints 4102444800 2 21.0
// snippet:prints 4102444860 0 -
// snippet:prints 4102444920 1 25.5
