// snippet:doc https://fsharp.github.io/fsharp-core-docs/reference/fsharp-collections-listmodule.html#groupBy List.groupBy
type Bucket = { Start: int; Values: float list }

/// Readings as (unix time, value) into equal intervals, with the gaps between them.
let buckets seconds readings =
    let groups =
        readings
        |> List.groupBy (fun (time, _) -> time - time % seconds)
        |> List.map (fun (start, group) -> start, List.map snd group)
        |> Map.ofList
    match groups |> Map.toList |> List.map fst with
    | [] -> []
    | starts ->
        [ for start in List.min starts .. seconds .. List.max starts ->
              { Start = start; Values = groups |> Map.tryFind start |> Option.defaultValue [] } ]
// snippet:check
for b in buckets 60 [ 0, 20.0; 30, 22.0; 130, 25.5 ] do
    let mean = if List.isEmpty b.Values then "-" else sprintf "%.1f" (List.average b.Values)
    printfn "%d %d %s" b.Start b.Values.Length mean
// snippet:prints 0 2 21.0
// snippet:prints 60 0 -
// snippet:prints 120 1 25.5
