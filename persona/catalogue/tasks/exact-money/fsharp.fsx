// snippet:doc https://learn.microsoft.com/en-us/dotnet/fsharp/language-reference/literals Literals
/// Splits an amount in cents by ratios so that not one cent is lost.
let split (cents: int) (ratios: int list) =
    let total = List.sum ratios
    let shares = ratios |> List.map (fun ratio -> cents * ratio / total)
    let left = cents - List.sum shares
    shares |> List.mapi (fun i share -> if i < left then share + 1 else share)

let euros cents = sprintf "%d.%02d €" (cents / 100) (cents % 100)

split 1000 [ 1; 1; 1 ] |> List.map euros |> String.concat ", " |> printfn "%s"
printfn "%b %b" (0.1 + 0.2 = 0.3) (0.1m + 0.2m = 0.3m)
// snippet:prints 3.34 €, 3.33 €, 3.33 €
// snippet:prints false true
