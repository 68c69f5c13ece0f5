// snippet:doc https://fsharp.github.io/fsharp-core-docs/reference/fsharp-collections-mapmodule.html Map module
type Change<'record> =
    | Added of 'record
    | Removed of 'record
    | Changed of before: 'record * after: 'record

/// What happened to the records between two versions of a list, in the order of their keys, which are unique.
let diff key before after =
    let byKey records = records |> List.map (fun r -> key r, r) |> Map.ofList
    let old, current = byKey before, byKey after
    let keys = Set.union (old |> Map.keys |> Set.ofSeq) (current |> Map.keys |> Set.ofSeq)

    [ for k in keys do
          match Map.tryFind k old, Map.tryFind k current with
          | Some was, Some now when was <> now -> Changed(was, now)
          | Some was, None -> Removed was
          | None, Some now -> Added now
          | _ -> () ]

type Host = { Name: string; Cores: int }
let monday = [ { Name = "db1"; Cores = 16 }; { Name = "web1"; Cores = 4 } ]
let today = [ { Name = "db2"; Cores = 16 }; { Name = "web1"; Cores = 8 } ]

for change in diff (fun host -> host.Name) monday today do
    match change with
    | Added host -> printfn "+ %s" host.Name
    | Removed host -> printfn "- %s" host.Name
    | Changed(was, now) -> printfn "~ %s: %d to %d cores" now.Name was.Cores now.Cores
// snippet:prints - db1
// snippet:prints + db2
// snippet:prints ~ web1: 4 to 8 cores
