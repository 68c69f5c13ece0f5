// snippet:doc https://fsharp.github.io/fsharp-core-docs/reference/fsharp-collections-listmodule.html#sortBy List.sortBy
type Player = { Name: string; Score: int }

let players =
    [ { Name = "Mei"; Score = 70 }
      { Name = "Zoe"; Score = 90 }
      { Name = "Bob"; Score = 70 }
      { Name = "Ada"; Score = 90 } ]

// Highest score first, equal scores by name: tuples compare from left to right.
let ranked = players |> List.sortBy (fun p -> -(int64 p.Score), p.Name)

ranked |> List.iteri (fun i p -> printfn "%d. %s %d" (i + 1) p.Name p.Score)
// snippet:prints 1. Ada 90
// snippet:prints 2. Zoe 90
// snippet:prints 3. Bob 70
// snippet:prints 4. Mei 70
