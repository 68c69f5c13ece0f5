// snippet:doc https://fsharp.github.io/fsharp-core-docs/reference/fsharp-collections-arraymodule.html#sort Array.sort
/// The smallest value that at least the given share of all values does not exceed (nearest rank).
let percentile share (values: float[]) =
    if Array.isEmpty values then invalidArg "values" "there are none"
    let sorted = Array.sort values
    sorted[max 0 (int (ceil (share * float sorted.Length)) - 1)]

let milliseconds = [| 12.; 15.; 11.; 14.; 13.; 12.; 240.; 13.; 12.; 16. |]

printfn "mean %.1f ms" (Array.average milliseconds)
for share in [ 0.5; 0.95 ] do
    printfn "p%.0f %.0f ms" (100. * share) (percentile share milliseconds)
// snippet:prints mean 35.8 ms
// snippet:prints p50 13 ms
// snippet:prints p95 240 ms
