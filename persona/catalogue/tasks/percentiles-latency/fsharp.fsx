// snippet:doc https://fsharp.github.io/fsharp-core-docs/reference/fsharp-collections-arraymodule.html#sort Array.sort
/// The smallest value that at least the given percentage of all values does not exceed (nearest rank, 0 to 100).
let percentile percent (values: float[]) =
    if Array.isEmpty values then invalidArg "values" "there are none"
    let sorted = Array.sort values
    sorted[max 0 (int (ceil (percent * float sorted.Length / 100. - 1e-7)) - 1)] // 99.9 * 41000 / 100 is above 40959

let milliseconds = [| 12.; 15.; 11.; 14.; 13.; 12.; 240.; 13.; 12.; 16. |]

printfn "mean %.1f ms" (Array.average milliseconds)
for percent in [ 50.; 95. ] do
    printfn "p%g %.0f ms" percent (percentile percent milliseconds)
// snippet:prints mean 35.8 ms
// snippet:prints p50 13 ms
// snippet:prints p95 240 ms
// snippet:usage
if percentile 99.9 [| 1. .. 41000. |] <> 40959. then failwith "99.9 percent of 41,000"
