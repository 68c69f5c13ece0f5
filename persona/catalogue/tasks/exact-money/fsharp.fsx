// snippet:doc https://fsharp.github.io/fsharp-core-docs/reference/fsharp-collections-listmodule.html#mapi List.mapi
/// Splits an amount in cents by ratios so that not one cent is lost.
let split (cents: int) (ratios: int list) =
    if List.isEmpty ratios || List.exists (fun ratio -> ratio <= 0) ratios then
        invalidArg "ratios" "they must be positive"

    let total = List.sumBy int64 ratios
    let shares = ratios |> List.map (fun ratio -> int (int64 cents * int64 ratio / total))
    let left = cents - List.sum shares // as negative as the amount
    shares |> List.mapi (fun i share -> if i < abs left then share + sign left else share)

let euros cents =
    sprintf "%s%d.%02d EUR" (if cents < 0 then "-" else "") (abs (cents / 100)) (abs (cents % 100))

split 1000 [ 1; 1; 1 ] |> List.map euros |> String.concat ", " |> printfn "%s"
split -5 [ 1; 1 ] |> List.map euros |> String.concat ", " |> printfn "%s"
// snippet:prints 3.34 EUR, 3.33 EUR, 3.33 EUR
// snippet:prints -0.03 EUR, -0.02 EUR
