// snippet:doc https://learn.microsoft.com/en-us/dotnet/fsharp/language-reference/units-of-measure Units of measure
[<Measure>] type m
[<Measure>] type s
[<Measure>] type ft

let metresPerFoot = 0.3048<m / ft>
let g = 9.81<m / s^2>

let toMetres (height: float<ft>) = height * metresPerFoot

/// How fast something is after falling from that height without air: the units are checked when compiling.
let impactSpeed (height: float<m>) : float<m / s> = sqrt (2. * g * height)

let speed = 30.<ft> |> toMetres |> impactSpeed
printfn "%.1f m/s" (float speed)
// snippet:prints 13.4 m/s
