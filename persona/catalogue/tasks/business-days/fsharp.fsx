// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.datetime DateTime
open System

let isWorkingDay holidays (day: DateTime) =
    day.DayOfWeek <> DayOfWeek.Saturday
    && day.DayOfWeek <> DayOfWeek.Sunday
    && not (Set.contains day holidays)

/// Working days from the first day up to and including the last.
let businessDays holidays (first: DateTime) (last: DateTime) =
    Seq.init (max 0 ((last.Date - first.Date).Days + 1)) (fun n -> first.Date.AddDays(float n))
    |> Seq.filter (isWorkingDay holidays)
    |> Seq.length

let holidays = set [ DateTime(2026, 12, 25); DateTime(2027, 1, 1) ]
printfn "%d" (businessDays holidays (DateTime(2026, 12, 21)) (DateTime(2027, 1, 4)))
// snippet:prints 9
